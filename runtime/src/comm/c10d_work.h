// A collective of c10d's that is under way. Included by comm/ only.
#pragma once

#include "comm/group.h"
#include "comm/rendezvous.h"
#include "comm/shared_reduction.h"

#include <torch/csrc/distributed/c10d/Work.hpp>

#include <chrono>
#include <exception>
#include <memory>
#include <string>

namespace accel::detail {

class Pending::Work {
public:
  virtual ~Work() = default;
  virtual void wait(const std::string& what, std::chrono::milliseconds limit) = 0;
};

class C10dWork : public Pending::Work, public Exchange {
public:
  void wait(const std::string& what, std::chrono::milliseconds limit) override;
  bool wait_for(std::chrono::milliseconds most) override;

  c10::intrusive_ptr<c10d::Work> work;
  // Null for NCCL, which waits on the device and has a watchdog of its own.
  std::shared_ptr<Rendezvous> watched;
  // Where the collective ran on a copy (another dtype or the host): the copy and where it goes.
  torch::Tensor copy;
  torch::Tensor target;

private:
  void wait_and_watch();
  bool wait_quietly(std::chrono::milliseconds most);
  void finish();
  [[noreturn]] void refuse(const std::string& what, const std::exception& error) const;
};

} // namespace accel::detail
