// server/options.h
//
// Everything a server can be told, checked. Flags (flags.h) make it for kilnd;
// tests fill it in by hand. Ranges are stated by the flags of the same name.

#ifndef KILN_SERVER_OPTIONS_H_
#define KILN_SERVER_OPTIONS_H_

#include <chrono>
#include <cstdint>
#include <string>

#include "server/limits.h"
#include "server/log/log.h"

namespace kiln::server {

// What is admitted (admission.h). Cost is in voxels of a partition.
struct AdmissionOptions {
  int64_t queue_cost = kDefaultQueueCost;
  int64_t queue_bytes = kDefaultQueueBytes;
};

// The server's side of HTTP/2 pings. The client's side of a fleet must not ping
// more often than `min_client_interval`: the server then answers with GOAWAY.
struct KeepaliveOptions {
  std::chrono::seconds time{30};
  std::chrono::seconds timeout{10};
  std::chrono::seconds min_client_interval{5};
};

// What one request may hold.
struct RequestOptions {
  int64_t max_message_bytes = kDefaultMaxMessageBytes;
  int64_t max_raw_bytes = kDefaultMaxRequestRawBytes;
  int64_t max_blocks = kDefaultMaxBlocksPerRequest;
  int64_t max_cost = kDefaultMaxRequestCost;
};

struct ServerOptions {
  std::string listen = "0.0.0.0:5456";  // port 0: any free one
  std::string port_file;                // empty: none
  int threads = 0;                      // 0: AvailableCores()
  int io_threads = 0;                   // 0: half of the threads that bake
  int max_connections = kDefaultMaxConnections;
  int max_concurrent_streams = kDefaultMaxConcurrentStreams;
  int max_stream_in_flight = kDefaultMaxStreamInFlight;
  int64_t memory_quota_bytes = kDefaultMemoryQuotaBytes;
  RequestOptions request;
  AdmissionOptions admission;
  std::chrono::seconds drain{kDefaultDrainSeconds};
  std::chrono::seconds stall{kDefaultStallSeconds};
  KeepaliveOptions keepalive;
  LogOptions log;
};

// What `kilnd --probe` asks.
struct ProbeOptions {
  std::string address;  // host:port
  std::string service;  // of grpc.health.v1; empty: readiness
};

}  // namespace kiln::server

#endif  // KILN_SERVER_OPTIONS_H_
