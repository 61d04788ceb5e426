#include "port.h"

#include "error.h"

#include <arpa/inet.h>
#include <cstddef>
#include <netinet/in.h>
#include <string>
#include <sys/socket.h>
#include <sys/un.h>

namespace accel::launch {
namespace {

/// Binds the wildcard address of both IP versions, or of IPv4 where the machine has no other.
FileDescriptor bind_port(int port) {
  int on = 1;
  int off = 0;
  FileDescriptor both(socket(AF_INET6, SOCK_STREAM | SOCK_CLOEXEC, 0));
  if (both) {
    setsockopt(both.get(), SOL_SOCKET, SO_REUSEADDR, &on, sizeof(on));
    setsockopt(both.get(), IPPROTO_IPV6, IPV6_V6ONLY, &off, sizeof(off));
    sockaddr_in6 address{};
    address.sin6_family = AF_INET6;
    address.sin6_port = htons(static_cast<uint16_t>(port));
    if (bind(both.get(), reinterpret_cast<sockaddr*>(&address), sizeof(address)) == 0)
      return both;
    if (errno == EADDRINUSE || errno == EACCES)
      return {};
  }
  FileDescriptor four(socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0));
  setsockopt(four.get(), SOL_SOCKET, SO_REUSEADDR, &on, sizeof(on));
  sockaddr_in address{};
  address.sin_family = AF_INET;
  address.sin_port = htons(static_cast<uint16_t>(port));
  if (bind(four.get(), reinterpret_cast<sockaddr*>(&address), sizeof(address)) != 0)
    return {};
  return four;
}

int bound_port(int socket) {
  sockaddr_storage address{};
  socklen_t size = sizeof(address);
  getsockname(socket, reinterpret_cast<sockaddr*>(&address), &size);
  uint16_t port = address.ss_family == AF_INET6
                      ? reinterpret_cast<sockaddr_in6*>(&address)->sin6_port
                      : reinterpret_cast<sockaddr_in*>(&address)->sin_port;
  return ntohs(port);
}

/// Two launchers could both bind a port that was asked for, since both leave it reusable. A name
/// in the abstract namespace, which the kernel frees with its owner, can have one owner only.
FileDescriptor claim_port(int port) {
  FileDescriptor claim(socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0));
  sockaddr_un address{};
  address.sun_family = AF_UNIX;
  std::string name = "accel-launch-port-" + std::to_string(port);
  name.copy(address.sun_path + 1, sizeof(address.sun_path) - 1);
  auto size = static_cast<socklen_t>(offsetof(sockaddr_un, sun_path) + 1 + name.size());
  if (bind(claim.get(), reinterpret_cast<sockaddr*>(&address), size) != 0)
    return {};
  return claim;
}

} // namespace

PortHold::PortHold(int port) {
  socket_ = bind_port(port);
  if (!socket_ && port == 0)
    throw system_error("cannot find a free port");
  if (!socket_ && errno == EACCES)
    throw system_error("cannot use port " + std::to_string(port));
  if (socket_ && port != 0)
    claim_ = claim_port(port);
  if (!socket_ || (port != 0 && !claim_))
    throw Error(1, "port " + std::to_string(port) +
                       " is in use; choose another with --main_process_port, or leave the option "
                       "out on one machine");
  port_ = bound_port(socket_.get());
}

} // namespace accel::launch
