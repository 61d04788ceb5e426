// How the values of several processes become one.
#pragma once

namespace accel {

/// Sum: added up. Mean: added up and divided by the number of processes. Max: the largest. None:
/// each process keeps its own.
enum class Reduction { Sum, Mean, Max, None };

inline constexpr Reduction Sum = Reduction::Sum;
inline constexpr Reduction Mean = Reduction::Mean;
inline constexpr Reduction Max = Reduction::Max;

} // namespace accel
