// Curves of cost against size, as SVG.
#pragma once
#include <string>
#include <vector>

#include "adahop/status.h"
#include "bench/row.h"

namespace adahop::bench {

/// Slope of log(seconds) over log(work), by least squares. At least two points.
double fitted_slope(const std::vector<point>& points);

struct curve {
  std::string name;
  std::vector<point> points;
};

/// One diagram: seconds over work, both logarithmic.
struct diagram {
  std::string title, work_unit;
  std::vector<curve> curves;
};

/// The diagrams side by side.
std::string svg_of(const std::vector<diagram>& diagrams);

}  // namespace adahop::bench
