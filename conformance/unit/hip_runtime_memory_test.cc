// Device memory, streams and workspaces through the C ABI: matrices are used where they are, and the bytes are those
// that host memory gives. Run on the backend hip over fake_hip; what hip-cpu gives from host memory is expected.
#include "backend_hip_cpu.h"
#include "hip_runtime_support.h"

using namespace adahop;
using namespace adahop_test;

namespace {

const adahop_backend& hip_backend() { return *adahop_backend_hip(ADAHOP_ABI_VERSION); }
const adahop_backend& hip_cpu() { return *adahop_backend_hip_cpu(ADAHOP_ABI_VERSION); }

// How a call runs: on a stream of the caller's, with the workspace that the query names.
struct device_call {
  void* stream = nullptr;
  std::unique_ptr<device_copy<uint8_t>> workspace;
  uint64_t bytes = 0;
  adahop_exec exec{};

  template <class Args>
  device_call(adahop_op op, const Args& args) {
    REQUIRE(hipStreamCreate(&stream) == 0);
    REQUIRE(hip_backend().workspace_size(op, &args, &bytes) == ADAHOP_OK);
    // A canary behind it; begun at an odd address, since the ABI asks for no alignment.
    workspace = std::make_unique<device_copy<uint8_t>>(std::vector<uint8_t>(bytes + 2, 0x5A));
    exec.struct_size = sizeof exec;
    exec.memory = ADAHOP_MEMORY_DEVICE;
    exec.stream = stream;
    exec.workspace = workspace->data() + 1;
    exec.workspace_bytes = bytes;
  }
  ~device_call() { hipStreamDestroy(stream); }
};

// Runs on device memory: at once, with a workspace that is too small, and without one.
template <class Args>
void run_on_device(adahop_op op, int32_t (*function)(const adahop_exec*, const Args*), const Args& args) {
  device_call call(op, args);
  INFO("operation " << op << ", workspace " << call.bytes);
  if (call.bytes >= 512) {
    adahop_exec small = call.exec;
    small.workspace_bytes = call.bytes - 511;
    REQUIRE(function(&small, &args) == ADAHOP_INVALID_ARGUMENT);
    REQUIRE(std::string(hip_backend().last_error()).find("workspace_bytes") != std::string::npos);
  }
  adahop_exec own = call.exec;
  own.workspace = nullptr;
  own.workspace_bytes = 0;
  REQUIRE(function(&own, &args) == ADAHOP_OK);

  fake_hip_reset();
  const int32_t code = function(&call.exec, &args);
  INFO(hip_backend().last_error());
  require_no_misuse();
  REQUIRE(code == ADAHOP_OK);
  CHECK(recorded_calls("hipMalloc").empty());
  CHECK(recorded_calls("hipFree").empty());
  CHECK(recorded_calls("hipMemcpy").size() <= 2);  // reports, indices to check, variances for the verdict
  for (const std::string& copy : recorded_calls("hipMemcpy")) CHECK(copy.ends_with("to host)"));
  const std::vector<uint8_t> after = call.workspace->host();
  CHECK(after.front() == 0x5A);
  CHECK(after.back() == 0x5A);
}

template <class Args>
void run_on_host(int32_t (*function)(const adahop_exec*, const Args*), const Args& args) {
  adahop_exec exec{};
  exec.struct_size = sizeof exec;
  REQUIRE(function(&exec, &args) == ADAHOP_OK);
}

adahop_view moved(adahop_view v, void* data) {
  v.data = data;
  return v;
}

struct tensors {
  policy p = default_policy();
  matrix<bf16> a{70, 96}, b{40, 96};
  device_copy<bf16> device_a, device_b;

  static matrix<bf16> filled(int64_t rows, uint32_t seed) {
    matrix<bf16> m(rows, 96);
    fill(m, seed);
    return m;
  }
  tensors() : a(filled(70, 1)), b(filled(40, 2)), device_a(a.data), device_b(b.data) {
    p.oe_k = 9;
    p.output = ADAHOP_F32;
  }
  adahop_view on_device_a() const { return moved(view_of(a), device_a.data()); }
  adahop_view on_device_b() const { return moved(view_of(b), device_b.data()); }
};

}  // namespace

TEST_CASE("hip: whole products from device memory, every strategy", "[hip][spec:13.7][spec:13.3]") {
  const tensors x;
  for (const auto& [level, left, right] : {std::tuple{1, ADAHOP_PATTERN_NONE, ADAHOP_PATTERN_NONE},
                                           {1, ADAHOP_PATTERN_ROW, ADAHOP_PATTERN_NONE},
                                           {1, ADAHOP_PATTERN_NONE, ADAHOP_PATTERN_COLUMN},
                                           {2, ADAHOP_PATTERN_COLUMN, ADAHOP_PATTERN_COLUMN}}) {
    matrix<float> expected(70, 40);
    run_on_host(hip_cpu().matmul, {&x.p, level, left, right, ADAHOP_PATH_FORWARD, view_of(x.a), view_of(x.b), view_of(expected)});
    matrix<float> host(70, 40);
    const device_copy<float> out(host.data);
    run_on_device(ADAHOP_OP_MATMUL, hip_backend().matmul,
                  {&x.p, level, left, right, ADAHOP_PATH_FORWARD, x.on_device_a(), x.on_device_b(), moved(view_of(host), out.data())});
    CHECK(bytes_of(out.host()) == bytes_of(expected.data));
    run_on_host(hip_backend().matmul, {&x.p, level, left, right, ADAHOP_PATH_FORWARD, view_of(x.a), view_of(x.b), view_of(host)});
    CHECK(bytes_of(host.data) == bytes_of(expected.data));
  }
}

TEST_CASE("hip: quantizing from device memory, reports on the host", "[hip][spec:13.7][spec:13.3]") {
  const tensors x;
  mx_matrix expected(70, 96), host(70, 96);
  const device_copy<uint8_t> codes(host.codes), scales(host.scales);
  const adahop_mx out{codes.data(), scales.data(), 70, 96, 48, 3};
  adahop_quantize_result want{}, got{-5, -5};

  run_on_host(hip_cpu().quantize, {&x.p, view_of(x.a), view_of(expected), &want});
  run_on_device(ADAHOP_OP_QUANTIZE, hip_backend().quantize, {&x.p, x.on_device_a(), out, &got});
  CHECK(codes.host() == expected.codes);
  CHECK(scales.host() == expected.scales);
  CHECK(got.clipped == want.clipped);
  CHECK(got.first_nonfinite == -1);

  const std::vector<int32_t> zeroed{3, 5, 69};
  const device_copy<int32_t> device_zeroed(zeroed);
  run_on_host(hip_cpu().hadamard_quantize, {&x.p, view_of(x.a), zeroed.data(), 3, view_of(expected), &want});
  run_on_device(ADAHOP_OP_HADAMARD_QUANTIZE, hip_backend().hadamard_quantize,
                {&x.p, x.on_device_a(), device_zeroed.data(), 3, out, &got});
  CHECK(codes.host() == expected.codes);
  CHECK(scales.host() == expected.scales);
  CHECK(got.clipped == want.clipped);

  matrix<float> values(70, 96), expected_values(70, 96);
  const device_copy<float> device_values(values.data);
  run_on_host(hip_cpu().dequantize, {&x.p, view_of(expected), view_of(expected_values)});
  run_on_device(ADAHOP_OP_DEQUANTIZE, hip_backend().dequantize, {&x.p, out, moved(view_of(values), device_values.data())});
  CHECK(bytes_of(device_values.host()) == bytes_of(expected_values.data));
}

TEST_CASE("hip: transforms, statistics and outliers from device memory", "[hip][spec:13.7][spec:13.3]") {
  const tensors x;
  matrix<bf16> rotated(70, 96), expected_rotated(70, 96);
  const device_copy<bf16> device_rotated(rotated.data);
  run_on_host(hip_cpu().hadamard, {&x.p, view_of(x.a), view_of(expected_rotated)});
  run_on_device(ADAHOP_OP_HADAMARD, hip_backend().hadamard, {&x.p, x.on_device_a(), moved(view_of(rotated), device_rotated.data())});
  CHECK(bytes_of(device_rotated.host()) == bytes_of(expected_rotated.data));

  std::vector<double> rows(70), cols(96);
  const device_copy<double> device_rows(rows), device_cols(cols);
  adahop_pattern_result want{}, got{};
  run_on_host(hip_cpu().pattern, {&x.p, view_of(x.a), rows.data(), cols.data(), &want});
  run_on_device(ADAHOP_OP_PATTERN, hip_backend().pattern, {&x.p, x.on_device_a(), device_rows.data(), device_cols.data(), &got});
  CHECK(bytes_of(device_rows.host()) == bytes_of(rows));
  CHECK(bytes_of(device_cols.host()) == bytes_of(cols));
  CHECK(bytes_of(std::vector{got}) == bytes_of(std::vector{want}));

  std::vector<float> scores(70);
  std::vector<int32_t> indices(9);
  int64_t count = 0, device_count = 0;
  const device_copy<float> device_scores(scores);
  const device_copy<int32_t> device_indices(indices);
  run_on_host(hip_cpu().select_outliers, {&x.p, view_of(x.a), scores.data(), indices.data(), &count});
  run_on_device(ADAHOP_OP_SELECT_OUTLIERS, hip_backend().select_outliers,
                {&x.p, x.on_device_a(), device_scores.data(), device_indices.data(), &device_count});
  CHECK(bytes_of(device_scores.host()) == bytes_of(scores));
  CHECK(device_indices.host() == indices);
  CHECK(device_count == count);

  matrix<bf16> compact(9, 96), expected_compact(9, 96);
  const device_copy<bf16> device_compact(compact.data);
  run_on_host(hip_cpu().extract_outliers, {view_of(x.a), indices.data(), 9, view_of(expected_compact)});
  run_on_device(ADAHOP_OP_EXTRACT_OUTLIERS, hip_backend().extract_outliers,
                {x.on_device_a(), device_indices.data(), 9, moved(view_of(compact), device_compact.data())});
  CHECK(bytes_of(device_compact.host()) == bytes_of(expected_compact.data));
}

TEST_CASE("hip: products and scatter-add from device memory", "[hip][spec:13.7][spec:13.3]") {
  const tensors x;
  mx_matrix qa(70, 96), qb(40, 96);
  run_on_host(hip_cpu().quantize, {&x.p, view_of(x.a), view_of(qa), nullptr});
  run_on_host(hip_cpu().quantize, {&x.p, view_of(x.b), view_of(qb), nullptr});
  const device_copy<uint8_t> a_codes(qa.codes), a_scales(qa.scales), b_codes(qb.codes), b_scales(qb.scales);
  matrix<float> mx(70, 40), outlier(9, 40), host(70, 40);
  const device_copy<float> out(host.data);
  run_on_host(hip_cpu().mx_gemm, {&x.p, view_of(qa), view_of(qb), view_of(mx)});
  run_on_device(ADAHOP_OP_MX_GEMM, hip_backend().mx_gemm,
                {&x.p, {a_codes.data(), a_scales.data(), 70, 96, 48, 3}, {b_codes.data(), b_scales.data(), 40, 96, 48, 3},
                 moved(view_of(host), out.data())});
  CHECK(bytes_of(out.host()) == bytes_of(mx.data));

  run_on_host(hip_cpu().bf16_gemm, {&x.p, view_of(x.a), view_of(x.b), view_of(host)});
  run_on_device(ADAHOP_OP_BF16_GEMM, hip_backend().bf16_gemm, {&x.p, x.on_device_a(), x.on_device_b(), moved(view_of(host), out.data())});
  CHECK(bytes_of(out.host()) == bytes_of(host.data));

  const std::vector<int32_t> indices{0, 1, 5, 20, 21, 33, 40, 60, 69};
  for (size_t i = 0; i < outlier.data.size(); ++i) outlier.data[i] = 0.25f * static_cast<float>(i);
  const device_copy<int32_t> device_indices(indices);
  const device_copy<float> device_mx(mx.data), device_outlier(outlier.data);
  run_on_host(hip_cpu().scatter_add, {&x.p, view_of(mx), view_of(outlier), indices.data(), 9, ADAHOP_SIDE_LEFT, 0, view_of(host)});
  run_on_device(ADAHOP_OP_SCATTER_ADD, hip_backend().scatter_add,
                {&x.p, moved(view_of(mx), device_mx.data()), moved(view_of(outlier), device_outlier.data()), device_indices.data(),
                 9, ADAHOP_SIDE_LEFT, 0, moved(view_of(host), out.data())});
  CHECK(bytes_of(out.host()) == bytes_of(host.data));
}

TEST_CASE("hip: bad indices in device memory are found, and nothing is launched on them", "[hip][spec:13.7][spec:3.4]") {
  const tensors x;
  mx_matrix host(70, 96);
  const device_copy<uint8_t> codes(host.codes), scales(host.scales);
  const device_copy<int32_t> outside(std::vector<int32_t>{3, 70});
  adahop_exec exec{};
  exec.struct_size = sizeof exec;
  exec.memory = ADAHOP_MEMORY_DEVICE;
  const adahop_hadamard_quantize_args args{&x.p, x.on_device_a(), outside.data(), 2, {codes.data(), scales.data(), 70, 96, 48, 3}, nullptr};
  fake_hip_reset();
  CHECK(hip_backend().hadamard_quantize(&exec, &args) == ADAHOP_INVALID_ARGUMENT);
  CHECK(std::string(hip_backend().last_error()) == "zeroed[1]: 70 is outside 0 to 69");
  CHECK(recorded_calls("hipModuleLaunchKernel").empty());
}

TEST_CASE("the size of a workspace is asked for without touching anything", "[hip][spec:13.3]") {
  const tensors x;
  adahop_quantize_result report{7, 7};
  adahop_mx out{nullptr, nullptr, 70, 96, 48, 3};
  uint8_t somewhere = 0;
  out.codes = out.scales = &somewhere;
  uint64_t bytes = 0;
  hip_backend();  // opens the device where no test has
  fake_hip_reset();
  const adahop_quantize_args quantize{&x.p, x.on_device_a(), out, &report};
  CHECK(hip_backend().workspace_size(ADAHOP_OP_QUANTIZE, &quantize, &bytes) == ADAHOP_OK);
  CHECK(bytes >= sizeof(int64_t) * 2);
  CHECK(report.clipped == 7);
  CHECK(report.first_nonfinite == 7);
  int64_t count = 7;
  int32_t index = 7;
  const adahop_select_outliers_args select{&x.p, x.on_device_a(), nullptr, &index, &count};
  CHECK(hip_backend().workspace_size(ADAHOP_OP_SELECT_OUTLIERS, &select, &bytes) == ADAHOP_OK);
  CHECK(bytes >= 70 * (sizeof(float) + sizeof(int32_t)));
  CHECK(count == 7);
  CHECK(index == 7);
  CHECK(fake_hip_call_count() == 0);
  const adahop_quantize_args wrong{&x.p, x.on_device_a(), {&somewhere, &somewhere, 71, 96, 48, 3}, nullptr};
  CHECK(hip_backend().workspace_size(ADAHOP_OP_QUANTIZE, &wrong, &bytes) == ADAHOP_INVALID_ARGUMENT);
  CHECK(hip_backend().workspace_size(ADAHOP_OP_QUANTIZE, nullptr, &bytes) == ADAHOP_INVALID_ARGUMENT);
  CHECK(hip_backend().workspace_size(ADAHOP_OP_COUNT, &quantize, &bytes) == ADAHOP_INVALID_ARGUMENT);
}

TEST_CASE("hip: options and versions", "[hip][spec:13.1]") {
  CHECK(adahop_backend_hip(ADAHOP_ABI_VERSION + 1) == nullptr);
  CHECK(adahop_backend_hip_unavailable() == nullptr);
  CHECK(std::string(hip_backend().device).starts_with("fake MI350X (gfx950"));
  CHECK(hip_backend().set_option("mx_tile", "32x32x64") == ADAHOP_OK);
  CHECK(hip_backend().set_option("mx_tile", "16x16x128") == ADAHOP_OK);
  CHECK(hip_backend().set_option("mx_tile", "8x8x8") == ADAHOP_INVALID_ARGUMENT);
  CHECK(hip_backend().set_option("threads", "2") == ADAHOP_UNSUPPORTED);
  CHECK(hip_backend().set_option(nullptr, "2") == ADAHOP_INVALID_ARGUMENT);
}

TEST_CASE("the table's device memory and streams: round trip, and what is refused", "[hip][spec:13.7]") {
  for (const adahop_backend* table : {&hip_backend(), &hip_cpu()}) {
    INFO(table->name);
    fake_hip_reset();
    void *memory = nullptr, *stream = nullptr;
    REQUIRE(table->device_allocate(5, &memory) == ADAHOP_OK);
    REQUIRE(table->stream_create(&stream) == ADAHOP_OK);
    REQUIRE(stream != nullptr);
    const std::vector<uint8_t> sent{1, 2, 3, 4, 5};
    std::vector<uint8_t> got(5);
    CHECK(table->copy_to_device(memory, sent.data(), 5, stream) == ADAHOP_OK);
    CHECK(table->copy_to_host(got.data(), memory, 5, stream) == ADAHOP_OK);
    CHECK(got == sent);
    require_no_misuse();

    void* none = nullptr;
    CHECK(table->device_allocate(0, &none) == ADAHOP_INVALID_ARGUMENT);
    CHECK(table->device_allocate(5, nullptr) == ADAHOP_INVALID_ARGUMENT);
    CHECK(table->copy_to_device(nullptr, sent.data(), 5, stream) == ADAHOP_INVALID_ARGUMENT);
    CHECK(table->copy_to_host(nullptr, memory, 5, nullptr) == ADAHOP_INVALID_ARGUMENT);
    CHECK(table->copy_to_host(got.data(), memory, 4096, stream) == ADAHOP_DEVICE);
    CHECK(table->stream_create(nullptr) == ADAHOP_INVALID_ARGUMENT);
    CHECK(table->stream_release(nullptr) == ADAHOP_INVALID_ARGUMENT);
    CHECK(table->device_release(nullptr) == ADAHOP_OK);
    CHECK(table->device_release(memory) == ADAHOP_OK);
    CHECK(table->stream_release(stream) == ADAHOP_OK);
  }
}
