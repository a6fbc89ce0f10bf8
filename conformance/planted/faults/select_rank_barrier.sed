# The barrier between staging scores and ranking against them is gone.
# file: kernels/select_rank.hip
# filter: NC/foid*
# expect: foid, pair NC
# expect: (race|read of unwritten shared memory).* in kernel select_rank.*select_rank\.hip:[0-9]+
0,/^ *ADAHOP_BARRIER();$/{/^ *ADAHOP_BARRIER();$/d}
