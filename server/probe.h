// server/probe.h
//
// Asks a running server for its health: what containers without a shell run as
// their health check.

#ifndef KILN_SERVER_PROBE_H_
#define KILN_SERVER_PROBE_H_

#include "absl/status/status.h"
#include "server/options.h"

namespace kiln::server {

// OK if the server says SERVING within kProbeTimeout.
// Errors: kUnavailable with what it said, or why nobody answered.
absl::Status Probe(const ProbeOptions& options);

}  // namespace kiln::server

#endif  // KILN_SERVER_PROBE_H_
