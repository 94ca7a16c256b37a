# tests/integration/bench_tests.cmake: kiln-bench against real servers.
if(KILN_BUILD_TOOLS)
  add_library(kiln_bench_harness STATIC bench_packet_log.cc bench_proxy.cc)
  target_link_libraries(kiln_bench_harness
    PUBLIC kiln_server_harness absl::strings)
  kiln_code_flags(kiln_bench_harness)
  kiln_warning_flags(kiln_bench_harness)

  kiln_test(NAME integration_bench_packet_log_test
            SOURCES bench_packet_log_test.cc DEPS kiln_bench_harness)
  foreach(name stall tool)
    kiln_test(NAME integration_bench_${name}_test SOURCES bench_${name}_test.cc
              DEPS kiln_bench_harness kiln_formats nlohmann_json::nlohmann_json
              LABELS integration TIMEOUT 180 SERIAL)
    add_dependencies(integration_bench_${name}_test kilnd kiln-bench)
  endforeach()
endif()
