#include "error.h"
#include "port.h"

#include <gtest/gtest.h>

#include <netinet/in.h>
#include <sys/socket.h>

namespace accel::launch {
namespace {

/// Binds 0.0.0.0:port and listens; true where that works.
bool can_listen(int port, bool reuse) {
  FileDescriptor server(socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0));
  int on = reuse ? 1 : 0;
  setsockopt(server.get(), SOL_SOCKET, SO_REUSEADDR, &on, sizeof(on));
  sockaddr_in address{};
  address.sin_family = AF_INET;
  address.sin_port = htons(static_cast<uint16_t>(port));
  return bind(server.get(), reinterpret_cast<sockaddr*>(&address), sizeof(address)) == 0 &&
         listen(server.get(), 1) == 0;
}

TEST(Port, AHeldPortIsTheJobsOwn) {
  PortHold hold(0);
  EXPECT_GT(hold.port(), 0);
  EXPECT_TRUE(can_listen(hold.port(), true));
  EXPECT_FALSE(can_listen(hold.port(), false)) << "a program that knows nothing of the job";
}

TEST(Port, HeldPortsDiffer) {
  PortHold first(0);
  PortHold second(0);
  EXPECT_NE(first.port(), second.port());
}

TEST(Port, OneOwnerOfAPortThatWasAskedFor) {
  int port = PortHold(0).port();
  {
    PortHold first(port);
    EXPECT_EQ(first.port(), port);
    EXPECT_THROW(PortHold second(port), Error);
  }
  EXPECT_EQ(PortHold(port).port(), port);
}

} // namespace
} // namespace accel::launch
