// The ratios: what each one divides by what, and what it should reach.
#pragma once
#include <span>
#include <string>
#include <string_view>

namespace adahop::bench {

enum class ratio_kind {
  rate,      ///< work per second of ours over that of the baseline; more is better
  time,      ///< time of ours over that of the baseline; less is better
  exponent,  ///< slope of log time over log work; near 1 is good
  comparison,  ///< as rate, but nothing is asked for
};

struct goal {
  std::string_view id;
  std::string_view part;  ///< where an id has several goals: "quantize", "GEMM", "matmul"
  std::string_view what;
  ratio_kind kind;
  double reach;  ///< at least (rate), at most (time), 1 within this distance (exponent), or nothing
};

std::span<const goal> goals();

/// The first goal of an id, or that of one part of it; null where the table has none.
const goal* find_goal(std::string_view id, std::string_view part = "");

/// Whether `ratio` is what the goal asks for.
bool reached(const goal& g, double ratio);

/// ">= 0.85", "<= 1.30", "1 +- 0.05"; empty where nothing is asked for.
std::string reach_text(const goal& g);

/// Every id once, separated by commas.
std::string all_ids();

}  // namespace adahop::bench
