// Timing and checking of two sides.
#include "bench/session.h"

#include <fmt/format.h>
#include <openssl/evp.h>

#include <algorithm>
#include <chrono>
#include <cstring>
#include <exception>
#include <nlohmann/json.hpp>

#include "bench/goals.h"
#include "bench/machine.h"
#include "reference/backend.h"
#include "reference/simd/backend.h"

namespace adahop::bench {
namespace {

constexpr int kMostThreads = 2;
constexpr int kFewestRounds = 9, kMostRounds = 41;  // odd, so that a median is one measurement
constexpr double kEnoughSeconds = 1.0;              // of all rounds: beyond 9 rounds only for what is short

double seconds_of(const std::function<void()>& run) {
  const auto start = std::chrono::steady_clock::now();
  run();
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

double median(std::vector<double> values) {
  const auto middle = values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2);
  std::nth_element(values.begin(), middle, values.end());
  return *middle;
}

double rate_of(const side& s, double seconds) { return s.work / seconds / 1e9; }

}  // namespace

session::session(options o)
    : simd(adahop_backend_simd(ADAHOP_ABI_VERSION)),
      oracle(adahop_backend_reference(ADAHOP_ABI_VERSION)),
      options_(std::move(o)),
      cores_(kMostThreads) {
  if (const char* const why = adahop_backend_simd_unavailable(); why != nullptr) throw failure{why};
}

std::vector<int> session::thread_counts() const {
  if (cores_.cores() >= kMostThreads || quick()) return {1, kMostThreads};
  return {1};
}

std::string session::expect(const std::function<void()>& run, const std::vector<bytes>& outputs) const {
  oracle.threads(thread_counts().back());
  if (!quick()) cores_.pin(thread_counts().back());
  spoil(outputs);
  run();
  return hash_of(outputs);
}

session::timing session::time(const std::vector<std::function<void()>>& runs) const {
  const int threads = thread_counts().back();
  if (!quick()) cores_.pin(threads);
  double once = 0;
  for (const auto& run : runs) once += seconds_of(run);
  int rounds = 1;
  if (!quick()) rounds = std::clamp(static_cast<int>(kEnoughSeconds / once), kFewestRounds, kMostRounds) | 1;
  std::vector<std::vector<double>> all(runs.size());
  for (int i = 0; i < rounds; ++i)
    for (size_t j = 0; j < runs.size(); ++j) all[j].push_back(seconds_of(runs[j]));
  if (!quick() && !cores_.holds(threads)) throw failure{"a thread left its core: the runtime replaced it, times are not comparable"};
  timing t{{}, {}, rounds};
  for (auto& values : all) {
    t.least.push_back(*std::min_element(values.begin(), values.end()));
    t.seconds.push_back(median(std::move(values)));
  }
  return t;
}

void session::compare(const label& name, const side& measured, const side& baseline) {
  const goal* const wanted = find_goal(name.id, name.part);
  if (wanted == nullptr) throw failure{fmt::format("{} {}: goals.cc has no such ratio", name.id, name.part)};
  for (const side* s : {&measured, &baseline}) spoil(s->outputs);
  simd.threads(name.threads);
  const timing t = time({measured.run, baseline.run});
  row r;
  r.id = name.id;
  r.part = name.part;
  r.shape = name.shape;
  r.threads = name.threads;
  r.measured = measured.name;
  r.baseline = baseline.name;
  const auto calls = static_cast<double>(measured.calls), baseline_calls = static_cast<double>(baseline.calls);
  r.seconds = t.seconds[0] / calls;
  r.baseline_seconds = t.seconds[1] / baseline_calls;
  r.least_seconds = t.least[0] / calls;
  r.baseline_least_seconds = t.least[1] / baseline_calls;
  r.cycles = r.least_seconds * name.core_hertz;
  r.rounds = t.rounds;
  r.quick = quick();
  if (wanted->kind == ratio_kind::time) {
    r.ratio = r.seconds / r.baseline_seconds;
  } else {
    r.rate = rate_of(measured, r.seconds);
    r.baseline_rate = rate_of(baseline, r.baseline_seconds);
    r.ratio = r.rate / r.baseline_rate;
    r.unit = name.unit;
  }
  r.hash = hash_of(measured.outputs);
  r.expected_hash = measured.expected;
  r.baseline_hash = hash_of(baseline.outputs);
  r.baseline_expected_hash = baseline.expected;
  add(std::move(r));
}

void session::compare_threads(const label& name, const side& measured, const side& baseline) {
  const auto with = [this](int threads, const std::function<void()>& run) {
    return [this, threads, run] {
      simd.threads(threads);
      run();
    };
  };
  side many = measured, one = baseline;
  many.run = with(name.threads, measured.run);
  one.run = with(1, baseline.run);
  compare(name, many, one);
}

int session::finish() const {
  const machine m = describe_machine(cores_);
  nlohmann::ordered_json list = nlohmann::ordered_json::array();
  for (const row& r : rows_) list.push_back(to_json(r, m));
  if (!list.empty()) print_rows(list);
  if (!options_.json.empty())
    if (const status s = write_rows(options_.json, list); !s.ok()) throw failure{s.message()};
  return all_equal(list) ? 0 : 1;
}

std::string hash_of(const std::vector<bytes>& outputs) {
  EVP_MD_CTX* const context = EVP_MD_CTX_new();
  unsigned char digest[EVP_MAX_MD_SIZE];
  unsigned length = 0;
  // Fails only in a library without SHA-256.
  bool done = context != nullptr && EVP_DigestInit_ex(context, EVP_sha256(), nullptr) == 1;
  for (const bytes& part : outputs) done = done && EVP_DigestUpdate(context, part.data(), part.size()) == 1;
  done = done && EVP_DigestFinal_ex(context, digest, &length) == 1;
  EVP_MD_CTX_free(context);
  if (!done) throw failure{"OpenSSL has no SHA-256"};
  return fmt::format("{:02x}", fmt::join(digest, digest + length, ""));
}

void spoil(const std::vector<bytes>& outputs) {
  for (const bytes& part : outputs) std::memset(part.data(), 0xA5, part.size());
}

int run(int argc, char** argv, const std::function<void(session&)>& body) {
  const options o = parse_options(argc, argv);
  try {
    session s(o);
    body(s);
    return s.finish();
  } catch (const failure& f) {
    fmt::print(stderr, "bench: {}\n", f.line);
  } catch (const std::exception& e) {
    fmt::print(stderr, "bench: {}\n", e.what());
  }
  return 2;
}

}  // namespace adahop::bench
