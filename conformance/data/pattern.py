"""Decides the outlier pattern of a tensor (row, column or none) in FP64.

Every operation below is one IEEE double operation rounded to nearest even, in the order
written; nothing is fused.  So the statistics depend only on the tensor's bits, and an
implementation in another language that follows the same order has to give the same bits.
"""

import numpy as np

CHUNK = 64
RATIO = 2.0
EPS = 1e-8


def two_level_sum(v):
    """Sums along the last axis: chunks of 64 consecutive elements in order, then the chunk sums in order.

    v: [lanes, n] float64, n >= 1; the last chunk may be shorter.  Returns [lanes].
    np.sum is not usable here: it adds pairwise, in an order that numpy does not promise.
    """
    lanes, n = v.shape
    total = None
    for begin in range(0, n, CHUNK):
        chunk = v[:, begin].copy()
        for i in range(begin + 1, min(begin + CHUNK, n)):
            chunk = chunk + v[:, i]
        total = chunk if total is None else total + chunk
    return total


def variance(v):
    """Mean and unbiased variance along the last axis.  v: [lanes, n], n >= 2.  Returns ([lanes], [lanes])."""
    n = v.shape[1]
    mean = two_level_sum(v) / np.float64(n)
    d = v - mean[:, None]
    return mean, two_level_sum(d * d) / np.float64(n - 1)


def coefficient_of_variation(s):
    """std(s) / (mean(s) + eps).  s: [n].  Returns (cv, mean, std)."""
    mean, var = variance(s[None, :])
    std = np.sqrt(var[0])
    return std / (mean[0] + EPS), mean[0], std


def pattern_statistics(tensor):
    """Statistics and verdict of one tensor.  tensor: [R, C], any float type; converted to float64 first.

    cv_row = CV(variances of the rows) / sqrt(2 / (C-1)), cv_col likewise with R: the divisor is
    what a Gaussian tensor would show, so both are near 1 for noise.  `row` if cv_row exceeds
    twice cv_col, `column` if cv_col exceeds twice cv_row, else `none`.  A NaN, or a dimension
    of 1, gives `none`.
    """
    v = np.ascontiguousarray(tensor, dtype=np.float64)
    rows, columns = v.shape
    if rows < 2 or columns < 2 or np.isnan(v).any():
        return {"pattern": "none", "cv_row": None, "cv_col": None}
    _, row_variances = variance(v)
    _, column_variances = variance(np.ascontiguousarray(v.T))
    cv_row, mean_rv, std_rv = coefficient_of_variation(row_variances)
    cv_col, mean_cv, std_cv = coefficient_of_variation(column_variances)
    cv_row = cv_row / np.sqrt(np.float64(2.0) / np.float64(columns - 1))
    cv_col = cv_col / np.sqrt(np.float64(2.0) / np.float64(rows - 1))
    row_ratio = cv_row / (cv_col + EPS)
    column_ratio = cv_col / (cv_row + EPS)
    pattern = "row" if row_ratio > RATIO else "column" if column_ratio > RATIO else "none"
    return {
        "pattern": pattern,
        "cv_row": float(cv_row), "cv_col": float(cv_col),
        "row_ratio": float(row_ratio), "column_ratio": float(column_ratio),
        "row_variance_mean": float(mean_rv), "row_variance_std": float(std_rv),
        "column_variance_mean": float(mean_cv), "column_variance_std": float(std_cv),
    }
