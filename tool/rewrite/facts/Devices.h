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
  /// The statement that declares it, and it alone.
  Span Declaration;
  /// It's the host, and never anything else.
  bool IsHost = false;
  /// The statements that exist only to choose it (its own and those of helper variables and
  /// messages), in source order.
  std::vector<Span> Setup;
  /// Where not all of them could be told: what stands in the way.
  std::string Obstacle;
  Span ObstacleAt;
  /// It is assigned outside of the statements that choose it.
  bool IsReassigned = false;
};

/// A mention of a device variable, field or parameter outside of its setup; with no Device, of a
/// device by name (`torch::kCUDA`) in the options of a new tensor.
struct DeviceUse {
  DeclKey Device;
  FunctionKey Function;
  Span Where;
  enum class As {
    Device,  ///< where a torch::Device fits
    Type,    ///< where only a torch::DeviceType fits
    Capture, ///< in a lambda's list of captures
    Variable ///< where the variable itself is needed: bound to a reference
  } Use = As::Device;
  /// Compared to a torch::DeviceType, which a device with an index never equals.
  bool Compared = false;
};

/// An expression that gives a device variable, field or parameter its value.
struct DeviceValue {
  DeclKey Device;
  /// Where it is written; none for the initialiser of a field or of a variable outside of
  /// functions.
  FunctionKey Function;
  /// The expression; invalid where it can't be edited.
  Span Where;
  Span PointAt;
  enum class Form {
    Choice,  ///< a device by name, a question for a GPU, an index
    Host,    ///< the host by name
    Copy,    ///< another variable, field or parameter
    OfTensor ///< that of a tensor, which is wherever it is
  } Made = Form::Choice;
  /// For Copy.
  DeclKey From;
  /// What is initialised is a torch::DeviceType.
  bool IsType = false;
  /// The initialiser of what it is given to, not an assignment.
  bool Initializes = false;
};

/// An index or a name from outside (a parameter, an option, `argv`) that chooses the device.
struct DeviceOption {
  FunctionKey Function;
  Span Where;
  std::string Text;
};

/// A tensor that is made on the host: `torch::zeros({2})`.
struct HostTensor {
  FunctionKey Function;
  Span Where;
};

/// A GPU by its number: `torch::Device(torch::kCUDA, 1)`, `"cuda:1"`.
struct DeviceNumber {
  /// What it is the value of; none where it is used at once.
  DeclKey Device;
  FunctionKey Function;
  Span Where;
  long Number = 0;
};

/// `object.to(device)`, `object.cuda()`.
struct Placement {
  FunctionKey Function;
  /// `object.to(device)`, `object`, and `.to(device)`.
  Span Whole;
  Span Object;
  Span Suffix;
  /// None for `.cuda()`.
  Span Argument;
  /// The variable at the root of `object`, and that of the device where it is one's own.
  DeclKey Root;
  DeclKey Device;
  bool OnModule = false;
  bool ObjectIsPointer = false;
  /// All that it does is to place: there is no other argument but non_blocking.
  bool OnlyArgument = false;
  /// Where it also converts: the device and the comma behind it.
  Span ToConversion;
  /// The statement, where the call is one by itself (the result is unused).
  Span Statement;
  /// The statement `object = object.to(device);`.
  Span SelfAssignment;
};

} // namespace accel_rewrite

#endif
