"""A client that knows nothing of Kiln but its .proto files and any gRPC library.

Run by third_party_client_test.cc:
    third_party_client.py ADDRESS PROTO_ROOT WORK_DIR
generates the messages with protoc into WORK_DIR, bakes the blocks below with
every method, unary and over a stream, and prints one line a result. Then it
sends what must be refused and prints how.
"""

import subprocess
import sys

import grpc

ADDRESS, PROTO_ROOT, WORK_DIR = sys.argv[1:4]
FILES = ["geometry", "voxel", "status", "bake"]
subprocess.run(
    ["protoc", "-I", PROTO_ROOT, "--python_out", WORK_DIR]
    + [f"{PROTO_ROOT}/kiln/v1/{name}.proto" for name in FILES],
    check=True)
sys.path.insert(0, WORK_DIR)
from kiln.v1 import bake_pb2  # noqa: E402  (made by the lines above)

SERVICE = "/kiln.v1.BakeService/"
METHODS = ["PARTITION", "SEARCH", "COVER", "TREE", "GROW"]


def solid(x, y, z):
    """The same rule as in third_party_client_test.cc."""
    return (x * 7 + y * 13 + z * 5 + x * y * z) % 11 < 6


def block_input(size):
    entry = bake_pb2.BlockInput()
    block = entry.block
    block.size.x, block.size.y, block.size.z = size
    block.array.bytes_per_entry = 1
    block.array.entries.data = bytes(
        solid(x, y, z)
        for z in range(size[2]) for y in range(size[1]) for x in range(size[0]))
    return entry


def request(method):
    result = bake_pb2.BakeVoxelsRequest()
    result.recipe.method = bake_pb2.Method.Value("METHOD_" + method)
    for size in [(9, 6, 7), (1, 1, 1), (32, 16, 8)]:
        result.blocks.append(block_input(size))
    return result


def describe(response):
    for result in response.results:
        print(result.content_hash.hex(), result.result_hash.hex(),
              result.solid_voxels, ",".join(map(str, result.bounds)),
              result.exposed_faces.hex())


def main():
    channel = grpc.insecure_channel(ADDRESS)
    unary = channel.unary_unary(
        SERVICE + "BakeVoxels",
        request_serializer=bake_pb2.BakeVoxelsRequest.SerializeToString,
        response_deserializer=bake_pb2.BakeVoxelsResponse.FromString)
    stream = channel.stream_stream(
        SERVICE + "BakeVoxelStream",
        request_serializer=bake_pb2.BakeVoxelStreamRequest.SerializeToString,
        response_deserializer=bake_pb2.BakeVoxelStreamResponse.FromString)

    for method in METHODS:
        describe(unary(request(method), timeout=30))

    answers = {}
    for answer in stream(
            (bake_pb2.BakeVoxelStreamRequest(id=i, request=request(method))
             for i, method in enumerate(METHODS)), timeout=30):
        answers[answer.id] = answer.response
    for i in range(len(METHODS)):
        describe(answers[i])

    bad = request("PARTITION")
    bad.blocks[1].block.size.y = 257
    try:
        unary(bad, timeout=30)
    except grpc.RpcError as error:
        print(error.code().name, error.details())


main()
