#include "sync/window.h"

#include <c10/util/Exception.h>

namespace accel::detail {

bool Window::begin(int64_t pass, bool last) {
  TORCH_CHECK(!inside_, "accel: accumulate() was called inside the scope of another accumulate(); "
                        "call it once a micro-batch, where the loop's body begins");
  bool left_open = false;
  if (syncs_) {
    index_ = 0;
  } else if (pass != pass_) {
    left_open = index_ > 0;
    index_ = 0;
  }
  if (index_ == 0) {
    first_ = total_ = 0;
    any_ = scaled_ = false;
  }
  ++index_;
  pass_ = pass;
  inside_ = true;
  weighed_ = false;
  syncs_ = last || index_ >= length_;
  return left_open;
}

void Window::use(Divisor divisor) {
  TORCH_CHECK(
      !any_ || divisor == divisor_,
      "accel: one accumulation window has losses of different kinds (means, sums, sums with "
      "a count); give all of its backward() calls the same kind");
  divisor_ = divisor;
  any_ = true;
}

Window::Weights Window::weigh_rows(int64_t all_rows) {
  if (!inside_) {
    return {};
  }
  use(Divisor::Rows);
  const auto rows = static_cast<double>(all_rows);
  if (!weighed_) {
    weighed_ = true;
    first_ = first_ == 0 ? rows : first_;
    total_ += rows;
  }
  Weights weights;
  weights.loss = rows / first_;
  if (syncs_) {
    const double scale = first_ / total_;
    weights.before = scaled_ ? 1 : scale;
    weights.loss = rows / total_;
    scaled_ = true;
  }
  return weights;
}

Window::Weights Window::weigh_sum() {
  if (inside_) {
    use(Divisor::Nothing);
  }
  return {};
}

double Window::local_count(double count) {
  if (!inside_) {
    return count;
  }
  use(Divisor::Count);
  TORCH_CHECK(!weighed_, "accel: backward(loss, count) was called twice in one micro-batch of an "
                         "accumulation window; add the losses and the counts up first");
  weighed_ = true;
  total_ += count;
  return total_;
}

Window::Weights Window::weigh_total_count(double total) {
  Weights weights;
  weights.loss = 1 / total;
  weights.before = weights.loss;
  return weights;
}

} // namespace accel::detail
