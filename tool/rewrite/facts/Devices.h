//===- Devices.h - Devices, and what is moved to them ---------------------===//
#ifndef ACCEL_REWRITE_FACTS_DEVICES_H
#define ACCEL_REWRITE_FACTS_DEVICES_H

#include "facts/Span.h"

#include <vector>

namespace accel_rewrite {

/// A local variable that holds a `torch::Device` or a `torch::DeviceType`.
struct DeviceVariable {
  DeclKey Key;
  std::string Name;
  FunctionKey Function;
  /// The statements that exist only to choose it (its own and those of helper variables and
  /// messages), in source order.
  std::vector<Span> Setup;
  /// Where not all of them could be told: what stands in the way.
  std::string Obstacle;
  Span ObstacleAt;
};

/// A mention of a device variable or device parameter outside of its setup.
struct DeviceUse {
  DeclKey Device;
  FunctionKey Function;
  Span Where;
  /// In a lambda, which would have to capture something else.
  bool InLambda = false;
};

/// `object.to(device)`.
struct Placement {
  FunctionKey Function;
  /// `object.to(device)`, `object`, and `.to(device)`.
  Span Whole;
  Span Object;
  Span Suffix;
  Span Argument;
  /// The variable at the root of `object`, and of the argument where that is a plain variable.
  DeclKey Root;
  DeclKey Device;
  bool OnModule = false;
  bool ObjectIsPointer = false;
  /// The device is the only argument.
  bool OnlyArgument = false;
  /// The statement, where the call is one by itself (the result is unused).
  Span Statement;
};

} // namespace accel_rewrite

#endif
