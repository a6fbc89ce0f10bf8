// The backend hip-cpu gives the reference's bytes for any whole product.
#include <array>

#include "adahop/plan.h"
#include "backend_hip_cpu.h"
#include "catch.h"
#include "pick.h"
#include "reference/backend.h"

namespace adahop::property {
namespace {

TEST_CASE("hip-cpu gives the reference's bytes for any whole product", "[property][spec:1.1][spec:13.2]") {
  const adahop_backend* const backends[2] = {adahop_backend_reference(ADAHOP_ABI_VERSION),
                                             adahop_backend_hip_cpu(ADAHOP_ABI_VERSION)};
  check_property("hip-cpu: equal status and equal bytes of a whole product", 200, [&] {
    policy_choice rules = policy_choice::all();
    rules.models = false;  // hip-cpu claims the defaults alone
    const policy p = pick_policy("policy", rules);
    const tensor_choice choice{.dtype = ADAHOP_BF16,
                               .max_rows = 20,
                               .min_cols = 128,
                               .max_cols = 128,
                               .nonfinite = true};
    const operands o = pick_operands("operands", choice, 1, 20);
    stored_tensor a(o.a), b(o.b);
    adahop_matmul_args args{};
    args.policy = &p;
    args.level = static_cast<int32_t>(pick_integer("level", 1, 2));
    args.left_pattern = pick_of("left pattern", {ADAHOP_PATTERN_NONE, ADAHOP_PATTERN_ROW, ADAHOP_PATTERN_COLUMN});
    args.right_pattern = pick_of("right pattern", {ADAHOP_PATTERN_NONE, ADAHOP_PATTERN_ROW, ADAHOP_PATTERN_COLUMN});
    args.path = pick_of("path", {ADAHOP_PATH_FORWARD, ADAHOP_PATH_DX, ADAHOP_PATH_DW});
    args.a = a.view();
    args.b = b.view();
    adahop_exec exec{};
    exec.struct_size = sizeof exec;
    const tensor blank(p.output, o.a.rows, o.b.rows);
    std::array<tensor, 2> out;
    std::array<int32_t, 2> code{};
    for (size_t i = 0; i < 2; ++i) {
      stored_tensor memory(blank);
      args.out = memory.view();
      code[i] = backends[i]->matmul(&exec, &args);
      out[i] = memory.read();
    }
    require_number(code[1], code[0], "status of hip-cpu");
    if (code[0] != ADAHOP_OK) return;
    for (size_t i = 0; i < blank.bits.size(); ++i) require_equal(out[1].bits[i], out[0].bits[i], "output of hip-cpu");
  });
}

}  // namespace
}  // namespace adahop::property
