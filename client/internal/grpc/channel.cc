#include "client/internal/grpc/channel.h"

#include "grpcpp/create_channel.h"
#include "grpcpp/security/credentials.h"
#include "grpcpp/support/channel_arguments.h"

namespace kiln::client::internal {
namespace {

int Ms(std::chrono::milliseconds time) {
  return static_cast<int>(time.count());
}

}  // namespace

std::shared_ptr<grpc::Channel> MakeChannel(const std::string& address,
                                           const ClientOptions& options) {
  grpc::ChannelArguments args;
  // Retries are ours (retry_policy.h): gRPC's never repeat a call that has sent
  // more than 256 KiB, and know neither RetryInfo nor the call's deadline.
  args.SetInt(GRPC_ARG_ENABLE_RETRIES, 0);

  // gRPC's own backoff ends at two minutes. Its jitter adds a fifth.
  args.SetInt(GRPC_ARG_INITIAL_RECONNECT_BACKOFF_MS,
              Ms(options.min_reconnect_backoff));
  args.SetInt(GRPC_ARG_MIN_RECONNECT_BACKOFF_MS,
              Ms(options.min_reconnect_backoff));
  args.SetInt(GRPC_ARG_MAX_RECONNECT_BACKOFF_MS,
              Ms(options.max_reconnect_backoff));

  // Half-open connections are found also when nothing is under way. The server
  // must allow it (server/limits.h), or it ends the connection by GOAWAY.
  args.SetInt(GRPC_ARG_KEEPALIVE_TIME_MS, Ms(options.keepalive_time));
  args.SetInt(GRPC_ARG_KEEPALIVE_TIMEOUT_MS, Ms(options.keepalive_timeout));
  args.SetInt(GRPC_ARG_KEEPALIVE_PERMIT_WITHOUT_CALLS, 1);
  args.SetInt(GRPC_ARG_HTTP2_MAX_PINGS_WITHOUT_DATA, 0);

  args.SetMaxReceiveMessageSize(static_cast<int>(options.max_response_bytes));
  args.SetMaxSendMessageSize(-1);  // the server's limit counts

  // A connection for each client: channels to one address share one otherwise.
  args.SetInt(GRPC_ARG_USE_LOCAL_SUBCHANNEL_POOL, 1);
  // Names come from the cluster's DNS, where SRV and TXT records and an HTTP
  // proxy for the outside world only cost time.
  args.SetInt(GRPC_ARG_ENABLE_HTTP_PROXY, 0);
  args.SetInt(GRPC_ARG_SERVICE_CONFIG_DISABLE_RESOLUTION, 1);
  return grpc::CreateCustomChannel(address, grpc::InsecureChannelCredentials(),
                                   args);
}

}  // namespace kiln::client::internal
