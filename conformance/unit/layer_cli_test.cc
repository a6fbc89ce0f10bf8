// `adahop calibrate` and `adahop linear` on the real tensors: verdicts as the manifest states, one plan that drives
// both backends to the same bytes, saved bytes, files.
#include "adahop/layer/plan_file.h"
#include "cli_support.h"

using namespace adahop;
using namespace adahop::test;
using Catch::Matchers::Contains;

namespace {

struct layer_file_entry {
  const char* file;
  const char* layer;
  const char *x, *w, *gy;          // verdicts of the whole tensors, from conformance/data/README.md
  const char *forward, *dx, *dw;   // pairs
};
const layer_file_entry kLayers[] = {
    {"layer0.attention_query", "encoder.layer.0.attention.self.query", "none", "row", "row", "NC", "RR", "CN"},
    {"layer2.attention_key", "encoder.layer.2.attention.self.key", "column", "column", "row", "CR", "RC", "CC"},
    {"layer3.ffn_up", "encoder.layer.3.intermediate.dense", "column", "none", "row", "CN", "RN", "CC"},
    {"layer3.ffn_down", "encoder.layer.3.output.dense", "column", "row", "row", "CC", "RR", "CC"},
    {"layer5.attention_query", "encoder.layer.5.attention.self.query", "column", "none", "none", "CN", "NN", "NC"},
};

std::string all_files() {
  std::string files;
  for (const layer_file_entry& l : kLayers) files += fmt::format(" {}", layer_file(l.file));
  return files;
}

// Rows `first` to `first + rows` and the first `cols` columns.
io::array crop(const io::array& a, int64_t first, int64_t rows, int64_t cols) {
  const matrix<bf16> m = io::matrix_bf16(a, "t").value();
  matrix<bf16> part(rows, cols);
  for (int64_t r = 0; r < rows; ++r)
    for (int64_t c = 0; c < cols; ++c) part.at(r, c) = m.at(first + r, c);
  return io::array_of(part, {rows, cols});
}

// 32 tokens from `first` on, 64 inputs, 96 outputs of a real layer, so that three products stay quick.
std::vector<io::named_array> small_layer(const char* file, int64_t first = 0, const std::string& prefix = "") {
  return {{prefix + "x", crop(load(layer_file(file), "x"), first, 32, 64)},
          {prefix + "w", crop(load(layer_file(file), "w"), 0, 96, 64)},
          {prefix + "gy", crop(load(layer_file(file), "gy"), first, 32, 96)}};
}

void write(const std::string& path, const std::vector<io::named_array>& tensors, const io::metadata& meta = {}) {
  const status s = io::write_safetensors(path, tensors, meta);
  INFO(s.message());
  REQUIRE(s.ok());
}

}  // namespace

TEST_CASE("program: calibrate finds the verdicts and pairs that the manifest of the real layers states",
          "[spec:12.8][spec:7.6][spec:8.3]") {
  const temporary_folder f;
  const auto j = succeed(f, "calibrate --json --steps --out", f / "plan.json", all_files()).json();
  REQUIRE(j["layers"].size() == std::size(kLayers));
  for (size_t i = 0; i < std::size(kLayers); ++i) {
    const layer_file_entry& expected = kLayers[i];
    const auto& found = j["layers"][i];
    CAPTURE(expected.layer);
    CHECK(found["name"] == expected.layer);
    CHECK(found["x"]["verdict"] == expected.x);
    CHECK(found["w"]["verdict"] == expected.w);
    CHECK(found["grad_output"]["verdict"] == expected.gy);
    CHECK(found["products"]["forward"]["pair"] == expected.forward);
    CHECK(found["products"]["dX"]["pair"] == expected.dx);
    CHECK(found["products"]["dW"]["pair"] == expected.dw);
    CHECK(found["x"]["steps"].size() == 1);
    CHECK_THAT(found["w"]["why"].get<std::string>(), Contains("above 2"));
  }
  // CC occurs in three dW and one forward product.
  for (const auto& n : j["pair_counts"])
    if (n["pair"] == "CC") CHECK((n["total"] == 4 && n["forward"] == 1 && n["dW"] == 3 && n["dX"] == 0));

  const auto manifest = nlohmann::json::parse(text_of(ADAHOP_DATA_FOLDER "/manifest.json"));
  const auto plan = layer::read_plan(f / "plan.json");
  REQUIRE(plan.ok());
  for (const auto& entry : manifest["files"]) {
    const layer::layer_record* l = plan->find(entry["layer"].get<std::string>());
    REQUIRE(l != nullptr);
    for (const auto& [key, t] : {std::pair{"x", &l->x}, std::pair{"w", &l->w}, std::pair{"gy", &l->grad_output}}) {
      const auto& statistics = entry["tensors"][key]["statistics"];
      CHECK(statistics["cv_row"].get<double>() == t->steps[0].cv_row);
      CHECK(statistics["cv_col"].get<double>() == t->steps[0].cv_col);
    }
  }
}

TEST_CASE("program: files of one layer are its steps, in the order given", "[spec:12.9][spec:12.8]") {
  const temporary_folder f;
  for (const int step : {0, 1, 2})
    write(f / fmt::format("step{}.safetensors", step), small_layer("layer3.ffn_up", 32 * step), {{"layer", "up"}});
  const std::string files =
      fmt::format("{} {} {}", f / "step2.safetensors", f / "step0.safetensors", f / "step1.safetensors");
  const auto j = succeed(f, "calibrate --json --steps --out", f / "plan.json", files).json();
  REQUIRE(j["layers"].size() == 1);
  CHECK(j["layers"][0]["name"] == "up");
  const auto& steps = j["layers"][0]["x"]["steps"];
  REQUIRE(steps.size() == 3);
  const std::string order[] = {"step2", "step0", "step1"};
  for (size_t i = 0; i < 3; ++i) {
    const auto one = succeed(f, "inspect --json --tensor x", f / order[i] + ".safetensors").json()["tensors"][0];
    CHECK(steps[i]["verdict"] == one["pattern"]);
    CHECK(steps[i]["cv_row"] == one["cv_row"]);
  }
  CHECK_THAT(succeed(f, "calibrate --steps --out", f / "plan.json", files).out, Contains("CVrow") && Contains("wrote"));
  // hip-cpu makes the same plan.
  const std::string text = text_of(f / "plan.json");
  succeed(f, "calibrate --backend hip-cpu --out", f / "plan.json", files);
  CHECK(text_of(f / "plan.json") == text);
}

TEST_CASE("program: a plan from the real tensors drives linear on the reference and on hip-cpu to the same bytes",
          "[spec:11.8][spec:11.10][spec:1.1]") {
  const temporary_folder f;
  succeed(f, "calibrate --out", f / "plan.json", all_files());
  // Crops of the layers under the plans of the whole: shapes differ, so the plan's are those of the crops.
  layer::calibration_plan plan = layer::read_plan(f / "plan.json").value();
  for (layer::layer_record& l : plan.layers) l.in = 64, l.out = 96;
  REQUIRE(layer::write_plan(f / "small.json", plan).ok());
  for (const layer_file_entry& l : kLayers) {
    write(f / "small.safetensors", small_layer(l.file), {{"layer", l.layer}});
    for (const char* method : {"adahop_lv1", "adahop_lv2"})
      for (const char* left_oe : {"published", "port"}) {
        CAPTURE(l.layer, method, left_oe);
        const std::string arguments =
            fmt::format("linear {} --plan {} --method {} --policy oe_k=8,left_oe_on_dw={} --check --json",
                        f / "small.safetensors", f / "small.json", method, left_oe);
        const auto reference = succeed(f, arguments, "--out", f / "reference").json()["layers"][0];
        const auto hip = succeed(f, arguments, "--backend hip-cpu --out", f / "hip").json()["layers"][0];
        CHECK(reference == hip);
        for (const char* path : {"forward", "dX", "dW"})
          CHECK(reference["products"][path]["equals_whole_product"] == true);
        const std::string file = std::string(l.layer) + ".safetensors";
        CHECK(text_of(f / "reference/" + file) == text_of(f / "hip/" + file));
        CHECK(load(f / "reference/" + file, "y").shape == std::vector<int64_t>{32, 96});
        CHECK(load(f / "reference/" + file, "gx").shape == std::vector<int64_t>{32, 64});
        CHECK(load(f / "reference/" + file, "gw").shape == std::vector<int64_t>{96, 64});
      }
  }
}

TEST_CASE("program: linear on a whole real layer, with matmul's hashes and saved bytes that add up",
          "[spec:11.8][spec:11.11][spec:11.9]") {
  const temporary_folder f;
  const std::string file = layer_file("layer5.attention_query");  // T 192, I = O = 384; forward CN, dX NN, dW NC
  succeed(f, "calibrate --out", f / "plan.json", file);
  const auto l = succeed(f, "linear --json --plan", f / "plan.json", file).json()["layers"][0];
  const auto hash = [&](const char* rest) {
    return succeed(f, "matmul --json", file, file, f / "c.npy", rest).json()["sha256"];
  };
  CHECK(l["products"]["forward"]["sha256"] == hash("--a-tensor x --b-tensor w --pair CN"));
  CHECK(l["products"]["dX"]["sha256"] == hash("--a-tensor gy --b-tensor w --b-layout kn --path dX --pair NN"));
  CHECK(l["products"]["dW"]["sha256"] ==
        hash("--a-tensor gy --b-tensor x --a-layout km --b-layout kn --path dW --pair NC"));
  // X for dW by OE-right: 384 * 192 / 32 blocks, 64 columns of 192 elements; W for dX by IHT: 384 * 384 / 32 blocks.
  CHECK(l["saved"]["x"]["quantized"] == 17 * 2304);
  CHECK(l["saved"]["x"]["outliers"] == 2 * 64 * 192);
  CHECK(l["saved"]["x"]["indices"] == 4 * 64);
  CHECK(l["saved"]["w"]["total"] == 17 * 4608);
  CHECK(l["saved"]["total"] == 17 * 2304 + 2 * 64 * 192 + 4 * 64 + 17 * 4608);
  CHECK(l["saved"]["bf16_total"] == 2 * (192 * 384 + 384 * 384));
  CHECK(l["saved_by_strategy"]["BF16"]["total"] == l["saved"]["bf16_total"]);
  CHECK(l["saved_by_strategy"]["IHT"]["total"] == 17 * (2304 + 4608));
  CHECK_THAT(
      succeed(f, "linear --plan", f / "plan.json", file).out,
      Contains("OE-right") && Contains("if both were") && Contains(l["products"]["dW"]["sha256"].get<std::string>()));
}

TEST_CASE("program: methods without patterns need no plan", "[spec:11.12]") {
  const temporary_folder f;
  write(f / "a.safetensors", small_layer("layer0.attention_query"));
  for (const char* method : {"bf16", "mxfp4", "mxfp4_hadamard"}) {
    CAPTURE(method);
    const auto l = succeed(f, "linear --json --check --method", method, f / "a.safetensors").json()["layers"][0];
    CHECK(l["layer"] == "a");  // from the file's name
    CHECK(l["products"]["dW"]["pair"].is_null());
    CHECK(l["products"]["dW"]["equals_whole_product"] == true);
  }
  const auto sum = [&](const char* method) {
    return succeed(f, "linear --json --method", method, f / "a.safetensors")
        .json()["layers"][0]["saved"]["total"]
        .get<int>();
  };
  CHECK(sum("bf16") == 2 * (32 * 64 + 96 * 64));
  CHECK(sum("mxfp4") == 17 * (64 + 192));
  CHECK(sum("mxfp4_hadamard") == sum("mxfp4"));
}

TEST_CASE("program: several layers in one file", "[spec:12.8]") {
  const temporary_folder f;
  std::vector<io::named_array> tensors = small_layer("layer3.ffn_up", 0, "blocks.0.up.");
  for (io::named_array& t : small_layer("layer2.attention_key", 0, "blocks/1/key.")) tensors.push_back(std::move(t));
  write(f / "both.safetensors", tensors);
  const auto plan = succeed(f, "calibrate --json --out", f / "plan.json", f / "both.safetensors").json();
  REQUIRE(plan["layers"].size() == 2);
  const std::string arguments =
      fmt::format("linear --json --policy oe_k=8 --plan {} {}", f / "plan.json", f / "both.safetensors");
  const auto both = succeed(f, arguments, "--out", f / "out").json()["layers"];
  REQUIRE(both.size() == 2);
  CHECK(load(f / "out/blocks.0.up.safetensors", "y").shape == std::vector<int64_t>{32, 96});
  CHECK(load(f / "out/blocks_1_key.safetensors", "y").shape == std::vector<int64_t>{32, 96});
  const auto one = succeed(f, arguments, "--layer blocks/1/key").json()["layers"];
  REQUIRE(one.size() == 1);
  CHECK(one[0] == both[one[0]["layer"] == both[0]["layer"] ? 0 : 1]);
}
