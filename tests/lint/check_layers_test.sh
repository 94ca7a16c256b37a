#!/usr/bin/env bash
# tests/lint/check_layers_test.sh: plants one violation at a time in a scratch
# tree and expects check_layers.sh to name it; then a clean tree, to pass.
set -euo pipefail
check=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)/check_layers.sh
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
failures=0

# plant FILE INCLUDE: prints the checker's verdict on a tree of that one file.
verdict() {
  rm -rf "$scratch/tree"
  mkdir -p "$scratch/tree/$(dirname "$1")"
  echo "#include $2" >"$scratch/tree/$1"
  if "$check" "$scratch/tree" >"$scratch/out"; then echo clean; else
    grep -q "^$1:1: " "$scratch/out" && echo violation || echo unnamed; fi
}

expect() {
  local got
  got=$(verdict "$2" "$3")
  [ "$got" = "$1" ] && return
  echo "$2 including $3: expected $1, got $got"
  failures=$((failures + 1))
}

expect violation core/voxel/x.cc '<grpcpp/grpcpp.h>'
expect violation core/voxel/x.cc '"kiln/v1/voxel.pb.h"'
expect violation core/voxel/x.cc '<tbb/parallel_for.h>'
expect violation core/voxel/x.cc '"client/options.h"'
expect violation core/voxel/x.cc '"tests/support/generators.h"'
expect violation core/voxel/x.cc '<zlib.h>'
expect violation core/voxel/x.cc '"core/bake/baker.h"'
expect violation core/voxel/x.cc '"core/convex/hull_builder.h"'
expect violation core/voxel/x.cc '"core/voxel/boxes/box_grow.h"'
expect violation core/voxel/decode/x.cc '"core/voxel/boxes/box_grow.h"'
expect violation core/voxel/boxes/x.cc '"core/voxel/search/box_search.h"'
expect violation core/convex/x.cc '"core/voxel/boxes/box_grow.h"'
expect violation core/base/x.h '"core/geometry/vec3.h"'
expect violation core/base/x.h '"absl/synchronization/mutex.h"'
expect violation core/voxel/x.cc '"../base/hash.h"'
expect violation core/voxel/x.cc '"box_set.h"'
expect violation proto/wire/x.cc '"server/limits.h"'
expect violation server/x.cc '"client/bake_client.h"'
expect violation server/handlers/x.h '<grpcpp/server.h>'
expect violation client/x.cc '"server/limits.h"'
expect violation client/bake_client.h '<grpcpp/channel.h>'
expect violation client/testing/mock.h '"kiln/v1/bake.pb.h"'
expect violation client/adapters/bullet.h '<google/protobuf/message.h>'
expect violation client/bake_client.h '"client/internal/stub.h"'
expect violation client/bake_client.cc '"client/cli/table.h"'

expect clean core/base/parallel.cc '<tbb/parallel_for.h>'
expect clean core/voxel/x.cc '"core/base/hash.h"'
expect clean core/bake/x.cc '"core/voxel/search/box_cover.h"'
expect clean core/voxel/search/x.cc '"core/voxel/boxes/box_grow.h"'
expect clean core/voxel/decode/x.cc '"core/voxel/decode/y.h"'
expect clean core/base/hash.cc '<xxhash.h>'
expect clean core/voxel/x.cc '"absl/status/status.h"'
expect clean proto/wire/x.cc '<zstd.h>'
expect clean proto/wire/x.cc '"zstd.h"'
expect clean server/x.cc '<grpcpp/server.h>'
expect clean client/internal/stub.h '<grpcpp/channel.h>'
expect clean client/bake_client.cc '"client/internal/stub.h"'
expect clean client/bake_client.h '"core/voxel/box_set.h"'
expect clean tests/server/x_test.cc '"client/bake_client.h"'

[ "$failures" -eq 0 ] && echo "check_layers: all planted violations are named"
exit $((failures > 0))
