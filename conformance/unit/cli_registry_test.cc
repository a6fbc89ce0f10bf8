// The backend registry: names, and shared libraries that are not quite backends.
#include <fmt/format.h>

#include <string>

#include "catch.h"
#include "conformance/backends/registry.h"

using namespace adahop;
using namespace adahop::conformance;
using Catch::Matchers::Contains;

namespace {
std::string faulty(int fault) { return fmt::format("{}/faulty_backend_{}.so", FAULTY_FOLDER, fault); }
}  // namespace

TEST_CASE("registry: the reference opens by name and passes its own check", "[spec:13.1]") {
  const auto table = open_backend("reference");
  REQUIRE(table.ok());
  CHECK(std::string(table.value()->name) == "reference");
  CHECK(check_table(table.value(), "t").ok());
  for (int32_t op = 0; op < ADAHOP_OP_COUNT; ++op)
    CHECK(claims(*table.value(), static_cast<adahop_op>(op)));
}

TEST_CASE("registry: a library that is no backend is refused in one line", "[spec:13.1]") {
  struct refusal {
    int fault;
    const char* message;
  };
  for (const refusal& r :
       {refusal{1, "abi_version: expected 1, found 2"}, refusal{2, "struct_size: expected"},
        refusal{3, "mx_gemm: expected a function, since it is claimed, found null"},
        refusal{4, "last_error: expected a function, found null"},
        refusal{5, "capabilities.ops: expected known operations only"},
        refusal{6, "capabilities.struct_size: expected"}, refusal{7, "name: expected a text, found null"},
        refusal{11, "device_allocate to stream_release: expected six functions, since device memory is claimed"},
        refusal{8, "expected ABI version 1, but it cannot serve that"},
        refusal{9, "expected the exported function adahop_backend_entry, found none"}}) {
    CAPTURE(r.fault);
    const auto b = open_backend(faulty(r.fault));
    REQUIRE_FALSE(b.ok());
    CHECK(b.why().code() == ADAHOP_INVALID_ARGUMENT);
    CHECK_THAT(b.why().message(), Contains(r.message));
    CHECK(b.why().message().starts_with("backend " + faulty(r.fault)));
    CHECK(b.why().message().find('\n') == std::string::npos);
  }
  CHECK(open_backend("./no-such-file.so").why().code() == ADAHOP_INVALID_ARGUMENT);
  CHECK_THAT(open_backend("cuda").why().message(), Contains("not built in this version"));
  CHECK_THAT(open_backend("").why().message(), Contains("expected one of reference"));
}

TEST_CASE("registry: a call carries the backend's code and words", "[spec:13.1]") {
  const auto b = open_backend(faulty(10));
  INFO(b.why().message());
  REQUIRE(b.ok());
  const caller call(b.value());
  const status device = call.run(adahop_quantize_args{});
  CHECK(device.code() == ADAHOP_DEVICE);
  CHECK(device.message() == "faulty: quantize: planted");
  const status unknown = call.run(adahop_dequantize_args{});
  CHECK(unknown.code() == ADAHOP_INTERNAL);
  CHECK_THAT(unknown.message(), Contains("unknown status 77"));
  CHECK(call.run(adahop_matmul_args{}).code() == ADAHOP_UNSUPPORTED);
  CHECK(call.set_option("k", "v").code() == ADAHOP_UNSUPPORTED);
  CHECK(call.workspace_size(ADAHOP_OP_QUANTIZE, nullptr).value() == 0);
}
