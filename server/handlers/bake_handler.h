// server/handlers/bake_handler.h
//
// What BakeVoxels and BakeVoxelStream do, without a network: a request message
// in, its blocks baked one by one by whoever has a core, a response message
// out.

#ifndef KILN_SERVER_HANDLERS_BAKE_HANDLER_H_
#define KILN_SERVER_HANDLERS_BAKE_HANDLER_H_

#include <memory>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "core/base/cancel.h"
#include "kiln/v1/bake.pb.h"
#include "proto/wire/bake_wire.h"
#include "server/options.h"

namespace kiln::server {

// The operator's limits as the wire's checks take them.
wire::RequestLimits WireLimits(const RequestOptions& limits);

// Threads: BakeBlock may run concurrently for different blocks.
class BakeHandler {
 public:
  // Takes over a request after checking what can be told without reading its
  // payloads.
  // Errors: kInvalidArgument naming the field, or the limit and its flag.
  // Cost:   O(blocks): fit for an I/O thread.
  static absl::StatusOr<std::unique_ptr<BakeHandler>> Make(
      std::unique_ptr<v1::BakeVoxelsRequest> request,
      const RequestOptions& limits);

  const wire::RequestHead& head() const { return head_; }
  int blocks() const { return request_->blocks_size(); }

  // Decodes and bakes one block and keeps its result.
  // Requires: 0 <= index < blocks(), each at most once.
  // Errors:   kInvalidArgument ("blocks[i].block. ..."); those of `cancel`.
  absl::Status BakeBlock(int index, const core::CancelToken& cancel);

  // Gives the response away. Requires: BakeBlock has returned OK for each
  // block.
  std::unique_ptr<v1::BakeVoxelsResponse> TakeResponse();

 private:
  BakeHandler(std::unique_ptr<v1::BakeVoxelsRequest> request,
              const wire::RequestHead& head);

  const std::unique_ptr<v1::BakeVoxelsRequest> request_;
  const wire::RequestHead head_;
  // Has one result a block from the start, so that workers fill in different
  // ones without a lock.
  std::unique_ptr<v1::BakeVoxelsResponse> response_;
};

}  // namespace kiln::server

#endif  // KILN_SERVER_HANDLERS_BAKE_HANDLER_H_
