// client/bench/callers/echo_server.h
//
// A bare gRPC server on completion queues that takes any bytes and answers with
// as many as the method's name says: what a service costs that does nothing.

#ifndef KILN_CLIENT_BENCH_CALLERS_ECHO_SERVER_H_
#define KILN_CLIENT_BENCH_CALLERS_ECHO_SERVER_H_

namespace kiln::client {

// Methods: the number of bytes of each answer follows.
inline constexpr char kEchoUnary[] = "/echo.Unary/";
inline constexpr char kEchoStream[] = "/echo.Stream/";

// Serves on a free port of loopback, on one thread, as kilnd does by default.
// Writes the port and a newline to `port_fd` once it serves, and returns an
// exit code when `stop_fd` ends.
int ServeEcho(int port_fd, int stop_fd);

}  // namespace kiln::client

#endif  // KILN_CLIENT_BENCH_CALLERS_ECHO_SERVER_H_
