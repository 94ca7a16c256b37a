#include "server/handlers/bake_handler.h"

#include <utility>

#include "absl/strings/str_cat.h"
#include "core/base/errors.h"
#include "core/base/status_macros.h"

namespace kiln::server {

BakeHandler::BakeHandler(std::unique_ptr<v1::BakeVoxelsRequest> request,
                         const wire::RequestHead& head)
    : request_(std::move(request)),
      head_(head),
      response_(std::make_unique<v1::BakeVoxelsResponse>()) {
  response_->mutable_results()->Reserve(blocks());
  for (int i = 0; i < blocks(); ++i) response_->add_results();
}

wire::RequestLimits WireLimits(const RequestOptions& limits) {
  wire::RequestLimits wire_limits;
  wire_limits.max_message_bytes = limits.max_message_bytes;
  wire_limits.max_raw_bytes = limits.max_raw_bytes;
  wire_limits.max_blocks = limits.max_blocks;
  wire_limits.max_cost = limits.max_cost;
  return wire_limits;
}

absl::StatusOr<std::unique_ptr<BakeHandler>> BakeHandler::Make(
    std::unique_ptr<v1::BakeVoxelsRequest> request,
    const RequestOptions& limits) {
  KILN_ASSIGN_OR_RETURN(const wire::RequestHead head,
                        wire::HeadFromProto(*request, WireLimits(limits)));
  return std::unique_ptr<BakeHandler>(
      new BakeHandler(std::move(request), head));
}

absl::Status BakeHandler::BakeBlock(int index,
                                    const core::CancelToken& cancel) {
  const v1::BlockInput& block = request_->blocks(index);
  core::BakeOptions options = head_.options;
  options.cancel = cancel;
  absl::StatusOr<std::unique_ptr<wire::WireInput>> input =
      wire::InputFromProto(block);
  absl::StatusOr<core::BakeResult> result =
      input.ok() ? core::Bake((*input)->input, head_.recipe, options)
                 : absl::StatusOr<core::BakeResult>(input.status());
  if (absl::IsInvalidArgument(result.status())) {
    return core::WithContext(absl::StrCat("blocks[", index, "]."),
                             result.status());
  }
  KILN_RETURN_IF_ERROR(result.status());
  wire::ResultToProto(*result, head_.recipe, block,
                      *response_->mutable_results(index));
  return absl::OkStatus();
}

std::unique_ptr<v1::BakeVoxelsResponse> BakeHandler::TakeResponse() {
  return std::move(response_);
}

}  // namespace kiln::server
