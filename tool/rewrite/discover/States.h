//===- States.h - What steps hand on to the next one ----------------------===//
#ifndef ACCEL_REWRITE_DISCOVER_STATES_H
#define ACCEL_REWRITE_DISCOVER_STATES_H

#include "discover/FunctionBody.h"
#include "discover/Uniform.h"

#include <vector>

namespace accel_rewrite {

/// Where the hidden state \p State, which the steps in \p Scope hand to a recurrent model and take
/// back from it, is created outside of them, and along which dimension its rows lie there. Empty
/// where that can't be told: the layers of the model and the number of dimensions must agree, as
/// torch::nn documents them (LSTM, GRU and RNN take {layers, rows, hidden}, their cells
/// {rows, hidden}), and nothing else may read the state.
std::vector<RowsAt> stateStarts(const FunctionBody& Body, const std::vector<Write>& Writes,
                                const clang::ValueDecl* State, const clang::Stmt* Scope);

} // namespace accel_rewrite

#endif
