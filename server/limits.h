// server/limits.h
//
// Limits of the server that an operator cannot set, and the defaults of those
// that he can (flags.cc), each with its unit and the reason for its value.
// Limits of the formats themselves are in core/base/limits.h.

#ifndef KILN_SERVER_LIMITS_H_
#define KILN_SERVER_LIMITS_H_

#include <chrono>
#include <cstdint>

namespace kiln::server {

// ---- Defaults of flags.

// A dense 256^3 block of one byte a voxel is 16 MiB; twice that leaves room for
// its neighbours. gRPC itself refuses beyond twice this value.
inline constexpr int kDefaultMaxMessageBytes = 32 << 20;

// What a request's compressed payloads may become: eight dense 256^3 blocks of
// two bytes a voxel.
inline constexpr int64_t kDefaultMaxRequestRawBytes = int64_t{256} << 20;

// Game servers, not players, connect: a thousand of them is a large fleet. Each
// costs a file descriptor and buffers.
inline constexpr int kDefaultMaxConnections = 1000;

// Calls of one connection. A client that wants more in flight uses a stream.
inline constexpr int kDefaultMaxConcurrentStreams = 256;

// Blocks of one request: 16^3 blocks of 32^3 voxels, 512 voxels a side.
inline constexpr int kDefaultMaxBlocksPerRequest = 4096;

// Cost of one request, in voxels of a partition (core/bake/baker.h): about a
// minute of one core. Every method but `search` stays below it at 256^3.
inline constexpr int64_t kDefaultMaxRequestCost = 100'000'000'000;

// Cost of all accepted requests that are not answered yet.
inline constexpr int64_t kDefaultQueueCost = 2 * kDefaultMaxRequestCost;

// Bytes of their messages.
inline constexpr int64_t kDefaultQueueBytes = int64_t{256} << 20;

// Unanswered requests of one stream; what is in flight hides the round trip.
inline constexpr int kDefaultMaxStreamInFlight = 64;

// Memory of gRPC's transport buffers.
inline constexpr int64_t kDefaultMemoryQuotaBytes = int64_t{512} << 20;

// Shorter than the 30 s that Kubernetes and the 10 s that Docker wait before
// SIGKILL.
inline constexpr int kDefaultDrainSeconds = 8;

// The queue counts as stuck, and the server as not ready, when requests wait
// and none of their blocks has started for this long.
inline constexpr int kDefaultStallSeconds = 5;

// ---- Not for the operator.

// Work that every request and every block takes whatever its size, in the unit
// of cost, so that a flood of tiny requests is not free.
inline constexpr int64_t kRequestOverheadCost = 16384;
inline constexpr int64_t kBlockOverheadCost = 4096;

// A request of at most this cost is baked by the I/O thread that read it, when
// nothing waits: to wake a worker and be woken by it costs about as much again.
// Covers one 32^3 block by partition.
inline constexpr int64_t kInlineCost = 65536;

// Operations that an I/O thread takes before it does what they have posted.
// Answers of one turn leave in one write, so more saves system calls; the first
// one waits for the bakes of the others, so not too many.
inline constexpr int kOperationsPerTurn = 16;

// More I/O threads than this share too little to be worth their queues.
inline constexpr int kMaxIoThreads = 64;

// Assumed until blocks have been measured: cost that one core works off in a
// second.
inline constexpr double kInitialCostPerSecond = 1e9;

// Busy time over which the measured rate forgets half of what it knew.
inline constexpr std::chrono::milliseconds kRateHalfLife{1000};

// A request overtakes one that is less urgent by one step of priority and came
// up to this much earlier; so the least urgent waits at most 7 steps more than
// in order of arrival.
inline constexpr std::chrono::milliseconds kPriorityStep{250};

// Bounds of the hint that a busy answer carries: below, retries cost more than
// they gain; above, the estimate is worth nothing.
inline constexpr std::chrono::milliseconds kMinRetryAfter{5};
inline constexpr std::chrono::milliseconds kMaxRetryAfter{10'000};

// Calls of each method that an I/O thread has ready to be matched: more lets a
// burst be taken over without waiting for the thread.
inline constexpr int kCallsReady = 16;

// A connection that has not finished its HTTP/2 handshake by then is closed.
inline constexpr std::chrono::milliseconds kHandshakeTimeout{10'000};

// What a draining server leaves of its budget for last answers to be written
// and streams to be torn down.
inline constexpr std::chrono::milliseconds kShutdownGrace{300};

// Pause of the accept loop when the system cannot give it a descriptor.
inline constexpr std::chrono::milliseconds kAcceptBackoff{10};

// A burst of refusals is over, and summed up in one line, after this much
// quiet.
inline constexpr std::chrono::milliseconds kBurstQuiet{5'000};

// How long `kilnd --probe` waits for an answer.
inline constexpr std::chrono::milliseconds kProbeTimeout{1'000};

}  // namespace kiln::server

#endif  // KILN_SERVER_LIMITS_H_
