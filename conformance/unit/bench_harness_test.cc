// The benches' harness: when a ratio is void, what it is divided by, how rounds alternate, rows in a file, curves.
#include <sched.h>
#include <unistd.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>

#include "bench/goals.h"
#include "bench/placement.h"
#include "bench/plot.h"
#include "bench/session.h"
#include "catch.h"

namespace adahop::bench {
namespace {

struct folder {
  std::filesystem::path path = std::filesystem::temp_directory_path() / ("adahop_bench_" + std::to_string(getpid()));
  folder() { std::filesystem::create_directories(path); }
  ~folder() { std::filesystem::remove_all(path); }
  std::string file(const char* name) const { return (path / name).string(); }
};

options quick_to(const std::string& file) {
  options o;
  o.quick = true;
  o.json = file;
  return o;
}

// A side that writes `value` and takes its outputs to be `expected`.
struct writer {
  array<uint64_t> memory{int64_t{1} << 16};  // enough that the clock sees a run

  side as_side(uint64_t value, uint64_t expected, bool writes = true) {
    std::fill_n(memory.data(), memory.size(), expected);
    const std::string hash = hash_of({memory.bytes()});
    const auto run = [this, value, writes] {
      if (writes) std::fill_n(memory.data(), memory.size(), value);
    };
    return {"writer", run, 1e9, {memory.bytes()}, hash};
  }
};

// Equal but for a few roundings of FP64.
bool close(double a, double b) { return std::abs(a - b) <= 1e-12 * std::abs(b); }

// The one row of a session that compares these, and the session's status.
std::pair<nlohmann::ordered_json, int> compared(const side& measured, const side& baseline, const char* id = "R1") {
  const folder f;
  session s(quick_to(f.file("rows.json")));
  s.compare({id, "", "65536 words", 1, "GB/s"}, measured, baseline);
  const int status = s.finish();
  auto list = read_rows(f.file("rows.json"));
  REQUIRE(list.ok());
  REQUIRE(list.value().size() == 1);
  return {list.value().front(), status};
}

}  // namespace

TEST_CASE("SHA-256 of all parts one after the other") {
  std::string a = "a", bc = "bc";
  CHECK(hash_of({std::as_writable_bytes(std::span(a)), std::as_writable_bytes(std::span(bc))}) ==
        "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
}

TEST_CASE("a ratio whose bytes are as expected on both sides stands, any other is void") {
  writer a, b;
  const auto [good, fine] = compared(a.as_side(1, 1), b.as_side(2, 2));
  CHECK(fine == 0);
  CHECK(good["hash_equal"] == true);
  CHECK(good["ratio"].is_number());
  CHECK(good["verdict"] == "not judged");
  for (const bool ours : {true, false}) {
    const auto [bad, status] = compared(a.as_side(1, ours ? 7 : 1), b.as_side(2, ours ? 2 : 7));
    CHECK(status == 1);
    CHECK(bad["hash_equal"] == false);
    CHECK(bad["ratio"].is_null());
    CHECK(bad["verdict"] == "VOID");
  }
}

TEST_CASE("what stood in the outputs before is not taken for a result") {
  writer a, b;
  const auto [row, status] = compared(a.as_side(1, 1, false), b.as_side(2, 2));
  CHECK(status == 1);
  CHECK(row["hash_equal"] == false);
}

TEST_CASE("a ratio of rates is work per second over work per second, one of times is time over time") {
  writer a, b;
  side ours = a.as_side(1, 1), other = b.as_side(2, 2);
  ours.work = 4e9;
  const auto [rate, ignored] = compared(ours, other, "R1");
  const double seconds = rate["seconds"], base = rate["baseline_seconds"];
  CHECK(close(rate["ratio"], 4 / seconds * base));
  const auto [time, also_ignored] = compared(ours, other, "R3");
  CHECK(close(time["ratio"], time["seconds"].get<double>() / time["baseline_seconds"].get<double>()));
}

TEST_CASE("rounds alternate between the sides, nine at least and an odd number") {
  options o;
  const session s(o);
  std::string order;
  const auto t = s.time({[&] { order += 'a'; }, [&] { order += 'b'; }});
  CHECK(t.rounds >= 9);
  CHECK(t.rounds % 2 == 1);
  std::string expected;
  for (int i = 0; i <= t.rounds; ++i) expected += "ab";
  CHECK(order == expected);
}

TEST_CASE("goals") {
  CHECK(reached(*find_goal("R1"), 0.85));
  CHECK_FALSE(reached(*find_goal("R1"), 0.849));
  CHECK(reached(*find_goal("R3"), 1.30));
  CHECK_FALSE(reached(*find_goal("R3"), 1.31));
  CHECK(reached(*find_goal("C1"), 1.09));
  CHECK_FALSE(reached(*find_goal("C1"), 0.89));
  CHECK(find_goal("R10", "GEMM")->reach == 100);
  CHECK(find_goal("R10", "matmul") == nullptr);
  CHECK(find_goal("R99") == nullptr);
  for (int i = 1; i <= 13; ++i) CHECK(find_goal("R" + std::to_string(i)) != nullptr);
}

TEST_CASE("a thread that has left its core is noticed") {
  const placement p(2);
  REQUIRE(p.cores() >= 1);
  p.pin(1);
  CHECK(p.holds(1));
  if (p.cores() == 1) return;
  cpu_set_t other;
  CPU_ZERO(&other);
  CPU_SET(static_cast<size_t>(p.list()[1]), &other);
  REQUIRE(sched_setaffinity(0, sizeof other, &other) == 0);
  CHECK_FALSE(p.holds(1));
  p.pin(2);
  CHECK(p.holds(2));
}

TEST_CASE("a file that is no list of rows is refused with one line") {
  const folder f;
  const std::string path = f.file("rows.json");
  for (const char* text : {"", "{}", "[1]", R"([{"id":"R1"}])", "[{"}) {
    std::ofstream(path) << text;
    const auto list = read_rows(path);
    REQUIRE_FALSE(list.ok());
    CHECK(list.why().code() == ADAHOP_BAD_FILE);
    CHECK(list.why().message().find('\n') == std::string::npos);
  }
  CHECK(read_rows(f.file("missing.json")).why().code() == ADAHOP_IO);
}

TEST_CASE("the fitted slope of a power law is its exponent, and the plot shows every point and slope") {
  curve linear{"linear", {}}, cubic{"cubic", {}};
  for (const double n : {256.0, 512.0, 4096.0}) {
    linear.points.push_back({n, n, 3e-9 * n});
    cubic.points.push_back({n, n, 1e-12 * n * n * n});
  }
  CHECK(close(fitted_slope(linear.points), 1));
  CHECK(close(fitted_slope(cubic.points), 3));
  const std::string svg = svg_of({{"a title", "work", {linear, cubic}}});
  CHECK(svg.find("linear: slope 1.000") != std::string::npos);
  CHECK(svg.find("cubic: slope 3.000") != std::string::npos);
  size_t circles = 0;
  for (size_t at = svg.find("<circle"); at != std::string::npos; at = svg.find("<circle", at + 1)) ++circles;
  CHECK(circles == 6 + 2);  // points, and one in the legend a curve
  CHECK(svg.substr(svg.size() - 7) == "</svg>\n");
}

}  // namespace adahop::bench
