#include "ops/collectives.h"

#include <accel/feed.h>

namespace accel::detail {

std::string batches_of_main(State& state, const std::function<std::string()>& make) {
  return bytes_of_main(state, Record::Action::Batch, make);
}

} // namespace accel::detail
