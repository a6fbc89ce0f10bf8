# The kernels of reference/simd, one call an input.
adahop_fuzz_target(simd_kernels
  SOURCES
    input.cc
    simd_kernel_matrices.cc
    simd_kernel_memory.cc
    simd_kernel_products.cc
    simd_kernel_runs.cc
    simd_kernel_trial.cc
    simd_kernel_values.cc
  LINKS adahop::simd adahop::kernel_oracle fmt::fmt)
