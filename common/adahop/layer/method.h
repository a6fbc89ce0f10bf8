// The named methods, and what each does for one product of a layer. Implements SPEC 11.12; for the AdaHOP methods the
// published table of SPEC 8.4 to 8.6.
#pragma once
#include <array>
#include <string_view>

#include "adahop/plan.h"
#include "adahop/policy.h"

namespace adahop::layer {

using adahop::name;  // of patterns, paths and strategies, beside those of this namespace

enum class method { bf16, mxfp4, mxfp4_hadamard, adahop_lv1, adahop_lv2 };

inline constexpr std::array<method, 5> kAllMethods{method::bf16, method::mxfp4, method::mxfp4_hadamard,
                                                   method::adahop_lv1, method::adahop_lv2};

std::string_view name(method m);
std::string_view about(method m);

/// ADAHOP_INVALID_ARGUMENT that lists the names; ADAHOP_UNSUPPORTED for a method of the literature that is not built.
result<method> parse_method(std::string_view text);

/// Only the AdaHOP methods look at patterns.
constexpr bool uses_patterns(method m) { return m == method::adahop_lv1 || m == method::adahop_lv2; }

/// How one product runs: the strategies of SPEC chapter 8 and `mxfp4`, which quantizes without a transform.
enum class product_kind { bf16, mxfp4, iht, oe_left, oe_right };

inline constexpr std::array<product_kind, 5> kAllKinds{product_kind::iht, product_kind::oe_left, product_kind::oe_right,
                                                       product_kind::bf16, product_kind::mxfp4};

/// The names of plan.h's strategies, and "MXFP4".
std::string_view name(product_kind k);

product_kind kind_of(method m, pattern_pair pair, adahop_path path, adahop_left_oe_on_dw left_oe_on_dw);

/// One product by a named method: left [M x K] and right [N x K], BF16, into out [M x N] of dtype policy.output, all in
/// host memory. The AdaHOP methods and `mxfp4_hadamard` are the backend's whole `matmul`, so its own table decides.
/// Errors are the backend's; ADAHOP_INVALID_ARGUMENT for views that are not BF16 or do not fit together.
status run_product(const adahop_backend& on, const policy& p, method m, pattern_pair pair, adahop_path path,
                   const adahop_view& left, const adahop_view& right, const adahop_view& out);

}  // namespace adahop::layer
