//===- JsonReport.h - The outcome for other programs ----------------------===//
#ifndef ACCEL_REWRITE_REPORT_JSONREPORT_H
#define ACCEL_REWRITE_REPORT_JSONREPORT_H

#include "report/Outcome.h"

namespace accel_rewrite {

/// The outcome in the form of docs/report.schema.json.
std::string jsonReport(const Outcome& Result);

/// The outcome as SARIF 2.1.0, which code hosts and editors show beside the code.
std::string sarifReport(const Outcome& Result);

} // namespace accel_rewrite

#endif
