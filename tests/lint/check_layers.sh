#!/usr/bin/env bash
# tests/lint/check_layers.sh: who may include what (ARCHITECTURE.md, "the folder
# rule"). Each #include is given a layer, each file a list of layers it may use.
#
#   check_layers.sh [ROOT]     prints file:line of each violation, exits 1
set -euo pipefail
cd "${1:-$(dirname "${BASH_SOURCE[0]}")/../..}"

folders=()
for folder in core proto server client tests; do
  [ -d "$folder" ] && folders+=("$folder")
done
# /dev/null makes grep name the file even when there is only one.
find "${folders[@]}" \( -name '*.cc' -o -name '*.h' \) -print0 | sort -z |
  xargs -r -0 grep -nE '^[[:space:]]*#[[:space:]]*include' /dev/null |
  awk '
  # The layer an include belongs to: our own folder or the library it names.
  function layer_of(inc) {
    if (inc ~ /^absl\/synchronization\/(mutex|notification|blocking|barrier)/)
      return "absl-mutex"
    if (inc ~ /^absl\//) return "absl"
    if (inc ~ /^(tbb|oneapi)\//) return "tbb"
    if (inc ~ /^(kiln\/|grpc\/health\/|google\/rpc\/)/) return "proto"
    if (inc ~ /^google\/protobuf\//) return "protobuf"
    if (inc ~ /^(grpc|grpcpp|grpc\+\+)\//) return "grpc"
    if (inc ~ /^xxhash\.h|^xxh3\.h/) return "xxhash"
    if (inc ~ /^(zlib|zstd|zstd_errors|lz4|lz4hc|lz4frame)\.h/) return "compress"
    if (inc ~ /^(spdlog|fmt)\//) return "spdlog"
    if (inc ~ /^(tiny_gltf|nlohmann\/)/) return "json"
    if (inc ~ /^(gtest|gmock|benchmark|rapidcheck)[\/.]/) return "testlib"
    if (inc ~ /^proto\/wire\//) return "wire"
    if (inc ~ /^client\/internal\//) return "client-internal"
    if (inc ~ /^client\/(cli|bench|formats)\//) return "client-tools"
    if (inc ~ /^(core|server|client|tests)\//) { sub(/\/.*/, "", inc); return inc }
    return "std"
  }
  # What a file may use besides the standard library and its own folder.
  function allowed(file) {
    if (file ~ /^tests\//) return "*"
    if (file ~ /^core\/base\/parallel\.(h|cc)$/) return "core absl tbb"
    if (file ~ /^core\//) return "core absl xxhash"
    if (file ~ /^proto\/wire\//)
      return "wire proto core absl protobuf grpc compress"
    if (file ~ /^server\/handlers\//)
      return "server wire proto core absl protobuf spdlog"
    if (file ~ /^server\//)
      return "server wire proto core absl protobuf grpc spdlog"
    if (file ~ /^client\/quickstart\//) return "client core absl"
    if (file ~ /^client\/(cli|bench|formats)\//)
      return "client client-internal client-tools wire proto core absl " \
             "protobuf grpc compress json"
    if (file ~ /^client\/internal\//)
      return "client client-internal wire proto core absl protobuf grpc"
    if (file ~ /^client\/.*\.h$/) return "client core absl"  # public headers
    if (file ~ /^client\//)
      return "client client-internal wire proto core absl protobuf grpc"
    return ""
  }
  # The floors of core: an include goes to a lower floor or its own folder.
  function room_of(path) {
    sub(/^core\//, "", path); sub(/\/[^\/]*$/, "", path)
    return path
  }
  function floor_of(path,  room) {
    room = room_of(path)
    if (!(room in floor)) sub(/\/.*/, "", room)
    return room in floor ? floor[room] : 0
  }
  function complain(why) {
    printf "%s:%s: includes \"%s\": %s\n", file, line, inc, why
    bad = 1
  }
  BEGIN {
    floor["base"] = 1; floor["geometry"] = 2
    split("voxel convex trimesh heightfield bvh", names, " ")
    for (i in names) floor[names[i]] = 3
    split("voxel/boxes voxel/decode voxel/sample", names, " ")
    for (i in names) floor[names[i]] = 3.1
    floor["voxel/search"] = 3.2
    split("fracture query world", names, " ")
    for (i in names) floor[names[i]] = 4
    floor["bake"] = 5
  }
  {
    match($0, /:[0-9]+:/)
    file = substr($0, 1, RSTART - 1)
    line = substr($0, RSTART + 1, RLENGTH - 2)
    inc = $0
    sub(/.*#[ \t]*include[ \t]*[<"]/, "", inc); sub(/[>"].*/, "", inc)
    may = allowed(file); layer = layer_of(inc)
    if (layer == "absl-mutex" && file !~ /^tests\/support\//)
      complain("core/base/mutex.h is our lock, TSan floods on absl::Mutex")
    else if (layer != "std" && may != "*" && \
             index(" " may " ", " " layer " ") == 0)
      complain("layer " layer " is not one of: " may)
    else if (file ~ /^core\// && inc ~ /^core\//) {
      if (room_of(file) != room_of(inc) && floor_of(inc) >= floor_of(file))
        complain("core/" room_of(file) " does not stand above core/" \
                 room_of(inc))
    }
    else if (inc ~ /^\.\.?\// || \
             (layer == "std" && inc !~ /\// && $0 ~ /include[ \t]*"/))
      complain("spell includes from the repository root")
  }
  END { exit bad }'
