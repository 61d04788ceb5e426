//===- Report.h - Diagnostics as the compiler prints them -----------------===//
#ifndef ACCEL_REWRITE_REPORT_REPORT_H
#define ACCEL_REWRITE_REPORT_REPORT_H

#include "report/Diagnostic.h"

namespace accel_rewrite {

/// `file:line:col: warning: message; remedy [AR012]`, a line each, by place, each once. Paths below
/// \p Folder are shown relative to it.
std::string render(std::vector<Diagnostic> Diagnostics, const std::string& Folder);

/// By place, each that reads the same once.
std::vector<Diagnostic> inOrder(std::vector<Diagnostic> Diagnostics);

/// \p Path as a person in \p Folder would type it.
std::string shown(const std::string& Path, const std::string& Folder);

} // namespace accel_rewrite

#endif
