#include "client/bench/options/option_table.h"

namespace kiln::client {
namespace {

OptionGroup ServerGroup() {
  return {
      "what is loaded",
      {{"server", "ADDR", "host:port of a server, or inproc: for none"},
       {"spawn", "",
        "start kilnd as a child on loopback (without --server the default)"},
       {"kilnd", "PATH", "the kilnd to start (default: beside kiln-bench)"},
       {"threads", "N", "its --threads, 0..1024 (0: its default)"},
       {"mode", "MODE", "unary, stream or both (both)"},
       {"echo", "",
        "also load a bare gRPC echo server with the same bytes, round\n"
        "by round in turns, and compare"}}};
}

OptionGroup WorkloadGroup() {
  return {
      "with which requests",
      {{"inputs", "LIST",
        "of hills, caves, ball, flat, noise; sent in turns (hills)"},
       {"edge", "N", "voxels along an edge of a block, 1..256 (32)"},
       {"encoding", "NAME",
        "bitset, u8, u16, u32, packed, palette, runs, points, boxes\n"
        "or columns (bitset)"},
       {"vox", "FILE",
        "blocks of a .vox file instead of --inputs and --encoding"},
       {"blocks", "N", "blocks in each request, 1..4096 (1)"},
       {"method", "NAME", "partition, search, cover, tree or grow (partition)"},
       {"effort", "N", "of search, 0..3 (0)"},
       {"compression", "NAME", "none, zlib, zstd or lz4 (none)"}}};
}

OptionGroup LoadGroup() {
  return {"how",
          {{"rate", "N",
            "requests a second over all connections, each sent when it is\n"
            "due whatever the server does (open loop); 0: each answer\n"
            "sends the next request (closed loop) (0)"},
           {"arrival", "KIND",
            "with --rate: constant (equal distances) or poisson\n"
            "(independent users) (constant)"},
           {"seed", "N", "of poisson arrivals, 0..2^63-1 (1)"},
           {"seconds", "N", "measured for each mode, 0.1..86400 (10)"},
           {"warmup", "N", "seconds loaded before, not counted, 0..3600 (0.5)"},
           {"rounds", "N",
            "that the seconds are cut into, 1..1000 (1; with --echo 5)"},
           {"connections", "N", "each with threads of its own, 1..1000 (1)"},
           {"processes", "N",
            "that load together, each with --connections of its own,\n"
            "1..64 (1); their histograms are added up exactly"},
           {"in-flight", "N",
            "requests under way on each connection at most, 1..65536\n"
            "(closed loop: kept under way, 16; with --rate 4096)"},
           {"max-lag", "TIME",
            "with --rate: the p99 of what the load tester itself may send\n"
            "late (1ms, or a twentieth of the p99 latency if that is more)"}}};
}

OptionGroup SearchGroup() {
  return {
      "looking for the highest rate",
      {{"find-max-rate", "",
        "bisect the rate; --seconds and --warmup are each probe's, --rate\n"
        "the first one (100)"},
       {"slo", "LIST",
        "what must hold: p99=5ms, or several: p50=1ms,p99.9=20ms,max=1s;\n"
        "p0.1..p100, max, mean; ns, us, ms, s"},
       {"resolution", "N", "percent between met and missed, 0.1..100 (5)"}}};
}

OptionGroup ReportGroup() {
  return {"reports (FILE may be - for standard output)",
          {{"json", "FILE", "all figures and histograms; what --compare reads"},
           {"csv", "FILE", "a row for each second and one for the whole"},
           {"html", "FILE", "one page with plots, no network needed"},
           {"compare", "",
            "kiln-bench --compare A.json B.json: ratios B / A, each with a\n"
            "verdict; exits with 1 when one is worse"},
           {"noise", "N",
            "with --compare: percent that are called the same, 0..100 (5)"},
           {"help", "", "this text"}}};
}

}  // namespace

const std::vector<OptionGroup>& BenchOptionGroups() {
  static const std::vector<OptionGroup>* const groups =
      new std::vector<OptionGroup>{ServerGroup(), WorkloadGroup(), LoadGroup(),
                                   SearchGroup(), ReportGroup()};
  return *groups;
}

std::vector<OptionSpec> AllBenchOptions() {
  std::vector<OptionSpec> all;
  for (const OptionGroup& group : BenchOptionGroups()) {
    all.insert(all.end(), group.options.begin(), group.options.end());
  }
  all.push_back({kWorkerOption, "N", ""});
  return all;
}

}  // namespace kiln::client
