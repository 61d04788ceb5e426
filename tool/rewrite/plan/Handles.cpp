#include "plan/Handles.h"

namespace accel_rewrite {

void shareHandles(std::vector<Change>& Changes) {
  std::map<FunctionKey, AcceleratorSource> First;
  for (const Change& C : Changes)
    for (const auto& [Key, Source] : C.Functions) {
      auto [It, New] = First.emplace(Key, Source);
      if (!New && Source.Kind != AcceleratorSource::Kind::Parameter &&
          Source.VisibleFrom < It->second.VisibleFrom)
        It->second = Source;
    }
  for (Change& C : Changes)
    for (auto& [Key, Source] : C.Functions)
      if (Source.Kind != AcceleratorSource::Kind::Parameter)
        Source = First.at(Key);
}

} // namespace accel_rewrite
