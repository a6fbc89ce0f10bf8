// Which products the suites run: shapes, sources and policies of the synthetic ones, crops of the real ones.
#pragma once
#include "conformance/suites/pair_cases.h"
#include "conformance/suites/suite.h"

namespace adahop::conformance {

/// Products on synthetic operands, for all nine pairs.
void add_synthetic_products(const suite_options& options, case_list& out);

/// Products under stochastic and gfx950_sr rounding, other transforms, padding, shuffled scales and other models, for
/// all nine pairs; left out where a policy is given.
void add_policy_products(const suite_options& options, case_list& out);

/// Products in mode native, for all nine pairs.
void add_native_products(const suite_options& options, case_list& out);

/// The second matrix tile, more than 64 outliers, reports over more than 256 thread blocks; their products are left out
/// where a policy is given.
void add_wide_cases(const suite_options& options, case_list& out);

/// Partial blocks of each length under each rounding and layout, K of every remainder, outliers beside a long K: what takes
/// every path of a kernel. Its products with outliers are left out where a policy is given.
void add_path_cases(const suite_options& options, case_list& out);

/// Products on the real tensors: each layer under all nine forced pairs, three paths, both levels; the stages under the
/// pairs that the layer really has; the verdicts against the manifest's statistics. mustpass crops to
/// tokens x in x out = 96 x 160 x 128, full takes whole tensors as well.
void add_real_products(const suite_options& options, case_list& out);

/// Long products, wide scales, device memory, NaN outliers: for mutants of the gfx950 kernels that no other case showed.
void add_mutant_gfx950_cases(const suite_options& options, case_list& out);

}  // namespace adahop::conformance
