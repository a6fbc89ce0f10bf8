// A small plotter: decades as grid lines, a marker a point, the fitted line and its slope.
#include "bench/plot.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <iterator>

namespace adahop::bench {
namespace {

constexpr double kWidth = 520, kHeight = 420;                       // of a diagram
constexpr double kLeft = 70, kRight = 20, kTop = 40, kBottom = 60;  // its margins
constexpr const char* kColours[] = {"#1b6ca8", "#c0392b", "#2e8b57", "#8e44ad", "#b8860b"};

struct line_fit {
  double slope, offset;  // log10(seconds) = offset + slope * log10(work)
};

line_fit fit(const std::vector<point>& points) {
  double x = 0, y = 0, xx = 0, xy = 0;
  for (const point& p : points) {
    const double u = std::log10(p.work), v = std::log10(p.seconds);
    x += u;
    y += v;
    xx += u * u;
    xy += u * v;
  }
  const auto n = static_cast<double>(points.size());
  const double slope = (n * xy - x * y) / (n * xx - x * x);
  return {slope, (y - slope * x) / n};
}

// Whole decades around the values, and where a value stands between two pixels.
struct axis {
  double from_pixel, to_pixel;
  double low = 1e9, high = -1e9;

  void widen(double value) {
    low = std::min(low, std::floor(std::log10(value)));
    high = std::max(high, std::ceil(std::log10(value)));
  }
  double at_log(double log_value) const { return from_pixel + (log_value - low) / (high - low) * (to_pixel - from_pixel); }
  double at(double value) const { return at_log(std::log10(value)); }
};

std::string text(double x, double y, const char* anchor, const std::string& content) {
  return fmt::format("<text x=\"{:.1f}\" y=\"{:.1f}\" text-anchor=\"{}\">{}</text>\n", x, y, anchor, content);
}

std::string line(double x1, double y1, double x2, double y2, const char* style) {
  return fmt::format("<line x1=\"{:.1f}\" y1=\"{:.1f}\" x2=\"{:.1f}\" y2=\"{:.1f}\" {}/>\n", x1, y1, x2, y2, style);
}

std::string grid(const axis& x, const axis& y) {
  std::string out;
  for (double d = x.low; d <= x.high; ++d) {
    out += line(x.at_log(d), y.from_pixel, x.at_log(d), y.to_pixel, "stroke=\"#ddd\"");
    out += text(x.at_log(d), y.from_pixel + 18, "middle", fmt::format("1e{}", d));
  }
  for (double d = y.low; d <= y.high; ++d) {
    out += line(x.from_pixel, y.at_log(d), x.to_pixel, y.at_log(d), "stroke=\"#ddd\"");
    out += text(x.from_pixel - 6, y.at_log(d) + 4, "end", fmt::format("1e{}", d));
  }
  return out;
}

std::string drawn(const curve& c, const axis& x, const axis& y, const std::string& colour) {
  std::string out;
  const auto [least, most] =
      std::minmax_element(c.points.begin(), c.points.end(), [](const point& a, const point& b) { return a.work < b.work; });
  const line_fit f = fit(c.points);
  const auto fitted = [&](double work) { return y.at_log(f.offset + f.slope * std::log10(work)); };
  out += line(x.at(least->work), fitted(least->work), x.at(most->work), fitted(most->work),
              fmt::format("stroke=\"{}\" stroke-opacity=\"0.5\"", colour).c_str());
  for (const point& p : c.points)
    out += fmt::format("<circle cx=\"{:.1f}\" cy=\"{:.1f}\" r=\"3.5\" fill=\"{}\"/>\n", x.at(p.work), y.at(p.seconds), colour);
  return out;
}

std::string drawn(const diagram& d, double offset) {
  axis x{offset + kLeft, offset + kWidth - kRight}, y{kHeight - kBottom, kTop};
  for (const curve& c : d.curves)
    for (const point& p : c.points) {
      x.widen(p.work);
      y.widen(p.seconds);
    }
  std::string out = grid(x, y);
  out += text(offset + kWidth / 2, 22, "middle", d.title);
  out += text(offset + kWidth / 2, kHeight - 18, "middle", d.work_unit);
  out += text(offset + kLeft, kTop - 8, "middle", "seconds");
  double legend = kTop + 16;
  size_t i = 0;
  for (const curve& c : d.curves) {
    const char* const colour = kColours[i++ % std::size(kColours)];
    out += drawn(c, x, y, colour);
    out += fmt::format("<circle cx=\"{:.1f}\" cy=\"{:.1f}\" r=\"3.5\" fill=\"{}\"/>\n", offset + kLeft + 14, legend - 4, colour);
    out += text(offset + kLeft + 24, legend, "start", fmt::format("{}: slope {:.3f}", c.name, fitted_slope(c.points)));
    legend += 16;
  }
  return out;
}

}  // namespace

double fitted_slope(const std::vector<point>& points) { return fit(points).slope; }

std::string svg_of(const std::vector<diagram>& diagrams) {
  const double width = kWidth * static_cast<double>(diagrams.size());
  std::string out = fmt::format(
      "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{0:.0f}\" height=\"{1:.0f}\" viewBox=\"0 0 {0:.0f} {1:.0f}\" "
      "font-family=\"sans-serif\" font-size=\"12\">\n<rect width=\"100%\" height=\"100%\" fill=\"white\"/>\n",
      width, kHeight);
  double offset = 0;
  for (const diagram& d : diagrams) {
    out += drawn(d, offset);
    offset += kWidth;
  }
  return out + "</svg>\n";
}

}  // namespace adahop::bench
