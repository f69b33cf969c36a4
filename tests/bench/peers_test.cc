#include "experiments/peers.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <numeric>
#include <set>
#include <string>
#include <vector>

#include "arms/best_scores.h"
#include "core/generated_data.h"
#include "core/peers_result.h"
#include "core/recall.h"
#include "experiments/truth.h"
#include "report/peers.h"

namespace lamina::bench {
namespace {

constexpr GeneratedShape kClustered{"clustered", 500, 24, 7};
constexpr GeneratedShape kRandom{"random", 500, 24, 0};

double cosine(VectorView a, VectorView b) {
  double dot = 0.0;
  double a_square = 0.0;
  double b_square = 0.0;
  for (std::size_t i = 0; i < a.size(); ++i) {
    dot += static_cast<double>(a[i]) * b[i];
    a_square += static_cast<double>(a[i]) * a[i];
    b_square += static_cast<double>(b[i]) * b[i];
  }
  return dot / std::sqrt(a_square * b_square);
}

PeerRow sample_row(const std::string& name, std::vector<double> rounds) {
  PeerRow row;
  row.name = name;
  row.data = "wordnet-384";
  row.query_us_p50 = rounds.front();
  row.recall_at_10 = 1.0;
  row.calls = 4;
  row.round_us_p50 = std::move(rounds);
  return row;
}

PeersResult sample_peers() {
  PeersResult result;
  result.run.mode = "default";
  result.run.seed = 7;
  result.run.arguments = {"peers"};
  result.run.verdict = "quiet";
  result.environment = {{"cpu.model", "a \"CPU\"", ""}};
  result.data = {{"wordnet-384", 10'000, 384, 1'000, "file", 2}};
  result.rows = {sample_row("lamina flat", {10.0, 30.0}),
                 sample_row("openblas sgemv", {40.0, 60.0})};
  result.rows[1].query_us_p99 = 99.5;
  result.rows[0].reopen_s = 0.5;
  result.ratios = peer_ratios(result.rows);
  result.ratios[0].interval = Interval{0.25, 0.5, 0.9};
  result.not_measured = {{"hnswlib", "no <CPU> for it"}};
  return result;
}

}  // namespace

TEST_CASE("generated data is the same on every machine") {
  const DataSet clustered = generate(kClustered, 3, 1);
  CHECK(clustered.base.rows == 500);
  CHECK(clustered.base.columns == 24);
  CHECK(clustered.queries.rows == 3);
  CHECK(clustered.base.values[0] == -0x1.312b4p-2f);
  CHECK(clustered.queries.values[71] == -0x1.9105b8p-5f);
  const DataSet random = generate(kRandom, 3, 1);
  CHECK(random.base.values[0] == -0x1.e5dabap-4f);
  CHECK(random.queries.values[71] == -0x1.4c37a4p-2f);
  CHECK(generate(kRandom, 3, 2).base.values[0] != random.base.values[0]);
}

TEST_CASE("generated vectors have length 1, clustered ones have company") {
  for (std::size_t clusters : {7u, 0u}) {
    CAPTURE(clusters);
    const DataSet data = generate({"wide", 200, 384, clusters}, 1, 5);
    double highest = -1.0;
    for (std::size_t row = 0; row < data.base.rows; ++row) {
      const VectorView v = data.vector(row);
      CHECK(std::inner_product(v.begin(), v.end(), v.begin(), 0.0) ==
            doctest::Approx(1.0).epsilon(1e-6));
      if (row > 0) highest = std::max(highest, cosine(data.vector(0), v));
    }
    // 0.49 / 1.49 within a cluster, on average; zero without.
    CHECK((highest > 0.25) == (clusters > 0));
  }
}

TEST_CASE("every generated shape is found by its name") {
  for (const GeneratedShape& shape : generated_shapes())
    CHECK(find_generated_shape(shape.name) == &shape);
  CHECK(find_generated_shape("clustered") == nullptr);
}

TEST_CASE("the truth is that of a plain loop in double, ties by row") {
  for (const GeneratedShape& shape : {kClustered, kRandom}) {
    CAPTURE(shape.name);
    DataSet data = generate(shape, 20, 3);
    // Row 400 is row 10 again, and the first query asks for them.
    std::copy_n(data.base.row(10), 24, data.base.values.begin() + 400 * 24);
    std::copy_n(data.base.row(10), 24, data.queries.values.begin());
    find_truth(10, &data);
    for (std::size_t q = 0; q < data.queries.rows; ++q) {
      std::vector<std::pair<double, std::int32_t>> all;
      for (std::int32_t row = 0; row < 500; ++row)
        all.emplace_back(-cosine(data.query(q), data.vector(row)), row);
      std::sort(all.begin(), all.end());
      for (std::size_t i = 0; i < 10; ++i) {
        CHECK(data.truth_ids.row(q)[i] == all[i].second);
        CHECK(data.truth_scores.row(q)[i] ==
              doctest::Approx(-all[i].first).epsilon(1e-12));
      }
    }
    CHECK(data.truth_ids.row(0)[0] == 10);
    CHECK(data.truth_ids.row(0)[1] == 400);
  }
}

TEST_CASE("recall counts true rows once, in any order") {
  DataSet data;
  data.truth_ids = {2, 4, {1, 2, 3, 4, 5, 6, 7, 8}};
  const auto found = [&](std::vector<std::int64_t> rows) {
    return true_answers(data, 1, rows);
  };
  CHECK(found({8, 7, 6, 5}) == 4);
  CHECK(found({5, 5, 5, 5}) == 1);
  CHECK(found({5, -1, -1, 1}) == 1);
  CHECK(found({7, 8}) == 0);  // True, but not among the two nearest.
}

TEST_CASE("the best scores come in order, equal ones by row") {
  std::vector<float> scores(1'000, -0.5f);
  scores[999] = 3.0f;
  scores[63] = 2.0f;
  scores[64] = 2.0f;
  std::vector<RowScore> best;
  select_best(scores, 5, &best);
  std::vector<std::size_t> rows;
  for (const RowScore& entry : best) rows.push_back(entry.row);
  CHECK(rows == std::vector<std::size_t>{999, 63, 64, 0, 1});
  select_best(std::span(scores).first(3), 5, &best);
  CHECK(best.size() == 3);
}

TEST_CASE("a ratio is the median of the rounds' ratios") {
  const std::vector<PeerRatio> ratios =
      peer_ratios({sample_row("openblas sgemv", {40.0, 60.0, 10.0}),
                   sample_row("lamina flat", {10.0, 30.0, 100.0})});
  REQUIRE(ratios.size() == 1);
  CHECK(ratios[0].name == "lamina flat");
  CHECK(ratios[0].over == "openblas sgemv");
  CHECK(ratios[0].p50 == 0.5);
  CHECK(!ratios[0].interval);
}

TEST_CASE("a result of peers is read back as it was") {
  const PeersResult result = sample_peers();
  const Result<PeersResult> read = peers_from_json(peers_to_json(result));
  REQUIRE(read.ok());
  CHECK(*read == result);
}

TEST_CASE("another schema is no result of peers") {
  CHECK(!peers_from_json("{}").ok());
  CHECK(!peers_from_json(R"({"schema":"lamina-bench/1"})").ok());
  std::string text = peers_to_json(sample_peers());
  text.replace(text.find("\"rows\":["), 8, "\"lost\":[");
  CHECK(!peers_from_json(text).ok());
}

TEST_CASE("the pages of peers load nothing and escape what they show") {
  const std::string html = peers_to_html(sample_peers());
  CHECK(html.find("<script") == std::string::npos);
  CHECK(html.find("http") == std::string::npos);
  CHECK(html.find("no &lt;CPU&gt; for it") != std::string::npos);
  CHECK(html.find("Time of a query on wordnet-384") != std::string::npos);
  const std::string text = peers_to_markdown(sample_peers());
  CHECK(text.find("| lamina flat | openblas sgemv | 0.375 |") !=
        std::string::npos);
}

TEST_CASE("a result without rows still makes a page") {
  PeersResult result = sample_peers();
  result.rows.clear();
  CHECK(peers_to_html(result).find("not measured") != std::string::npos);
  result.data.clear();
  CHECK(peers_to_html(result).find("Nothing") != std::string::npos);
}

TEST_CASE("only a perfect recall reads as 1") {
  CHECK(recall_text(1.0) == "1");
  CHECK(recall_text(0.99999) == "0.9999");
  CHECK(recall_text(0.95) == "0.9500");
}

}  // namespace lamina::bench
