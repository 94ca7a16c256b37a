# tests/integration/server_tests.cmake: real servers, raw gRPC clients.
add_library(kiln_server_harness STATIC server_harness.cc tcp_proxy.cc)
target_link_libraries(kiln_server_harness
  PUBLIC kiln::server kiln_test_support gRPC::grpc++ GTest::gtest)
kiln_code_flags(kiln_server_harness)
kiln_warning_flags(kiln_server_harness)

# Their bounds are in real time, so none shares the machine with others.
foreach(name bake cancel drain process stream)
  kiln_test(NAME integration_server_${name}_test SOURCES server_${name}_test.cc
            DEPS kiln_server_harness LABELS integration TIMEOUT 120 SERIAL)
endforeach()
add_dependencies(integration_server_process_test kilnd)
