// client/options.h
//
// Everything that can be set about a client and about one call, with defaults.
// Limits of the server are its operator's: a request beyond one is answered
// with the limit's name and flag, the client does not repeat the check.

#ifndef KILN_CLIENT_OPTIONS_H_
#define KILN_CLIENT_OPTIONS_H_

#include <chrono>
#include <cstdint>
#include <limits>
#include <optional>

namespace kiln::client {

// When a failed attempt is repeated. Only two failures are: busy, after the
// time that the server names, and unavailable, after a random time below a
// bound that doubles from `initial_backoff` to `max_backoff` ("full jitter").
// No attempt starts that the call's deadline would cut before it begins.
struct RetryOptions {
  // Attempts of one call, the first included; 1: never retry.
  int max_attempts = std::numeric_limits<int>::max();
  std::chrono::milliseconds initial_backoff{100};
  std::chrono::milliseconds max_backoff{2000};
  // Retries after "unavailable" that all calls of a client share: each costs
  // one token, each success gives `budget_per_success` back. Keeps a crashing
  // server from being hit by a multiple of its load. Far above the calls that
  // are in flight when a server restarts.
  double budget = 1000;
  double budget_per_success = 0.1;
};

struct ClientOptions {
  // Time a call may take in all, retries included, where CallOptions has none.
  std::chrono::milliseconds timeout{10'000};

  RetryOptions retry;

  // Largest response taken, bytes, 1..2^31 - 1. The default holds the worst
  // block there is, a checkerboard of 256^3: 8.4 million boxes of 10 bytes.
  int64_t max_response_bytes = 128 << 20;

  // A connection without traffic for this long is probed, and given up when
  // the probe is not answered in time. kilnd tolerates a probe every 5 s.
  std::chrono::milliseconds keepalive_time{10'000};
  std::chrono::milliseconds keepalive_timeout{2'000};

  // Pause between attempts to connect: doubles from the one to the other. The
  // upper one is below a second so that a server that returns has its clients
  // back within a second.
  std::chrono::milliseconds min_reconnect_backoff{100};
  std::chrono::milliseconds max_reconnect_backoff{750};

  // Worker threads of "inproc:"; 0: the cores this process may use.
  int inproc_threads = 0;
};

struct CallOptions {
  // Time the call may take in all; unset: ClientOptions::timeout.
  std::optional<std::chrono::milliseconds> timeout;
};

struct StreamOptions {
  // Requests that may be unanswered at a time; 1..65536. More than the server
  // takes at once (kilnd --max_stream_in_flight) only queues.
  int max_in_flight = 64;
};

}  // namespace kiln::client

#endif  // KILN_CLIENT_OPTIONS_H_
