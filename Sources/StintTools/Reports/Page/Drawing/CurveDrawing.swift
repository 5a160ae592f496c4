import StintModel
import StintUnits

/// Curves over time as static SVG, with a scale of round values.
struct CurveDrawing {
  /// The points of one run: horizontal position on the time axis, and value.
  typealias Curve = [(place: Int, value: Double)]

  let axis: TimeAxis
  /// One curve for each run.
  let curves: [Curve]
  private let low: Double
  private let high: Double
  private let step: Double

  /// Creates curves with a scale whose ends are round numbers.
  ///
  /// - Parameters:
  ///   - base: the lower end of the scale; nil to start near the lowest value of the curves.
  ///   - minSpan: the smallest range of values from which the step of the scale is computed. It applies when
  ///     the range of the curves is smaller.
  init(axis: TimeAxis, curves: [Curve], base: Double?, minSpan: Double) {
    self.axis = axis
    self.curves = curves
    let values = curves.flatMap { $0.map(\.value) }
    let top = values.max() ?? 1
    let bottom = base ?? values.min() ?? 0
    step = Self.round((max(top - bottom, minSpan)) / 4)
    low = (bottom / step).rounded(.down) * step
    high = max((top / step).rounded(.up) * step, low + step)
  }

  /// The values of the scale, and their distances from the top in per cent.
  var marks: [(value: Double, percent: String)] {
    (0...Int(((high - low) / step).rounded())).map { index in
      let value = low + Double(index) * step
      return (value, QuantityFormat.decimal(100 * (1 - (value - low) / (high - low))))
    }
  }

  var svg: String {
    let grid =
      axis.marks.map { "M\(axis.place($0.instant)) 0V1000" }.joined()
      + marks.map { "M0 \(height($0.value))H\(TimeAxis.width)" }.joined()
    let lines = curves.enumerated().filter { !$1.isEmpty }.map { run, curve in
      let line = curve.enumerated().map { "\($0 == 0 ? "M" : "L")\($1.place) \(height($1.value))" }.joined()
      return "<path class=\"curve run\(run)\" d=\"\(line)\"/>"
    }
    return "<svg viewBox=\"0 0 \(TimeAxis.width) 1000\" preserveAspectRatio=\"none\" aria-hidden=\"true\">"
      + "<path class=\"ruling\" d=\"\(grid)\"/>" + lines.joined() + "</svg>"
  }

  private func height(_ value: Double) -> Int { Int((1000 * (1 - (value - low) / (high - low))).rounded()) }

  /// Returns the smallest of 1, 2 or 5 times a power of ten that is at least the value.
  static func round(_ value: Double) -> Double {
    guard value > 0, value.isFinite else { return 1 }
    var power = 1.0
    while power * 10 <= value { power *= 10 }
    while power > value { power /= 10 }
    return [1, 2, 5, 10].map { $0 * power }.first { $0 >= value * 0.999_999 } ?? power * 10
  }
}
