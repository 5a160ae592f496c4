import StintModel
import StintUnits

/// A lane as static SVG: it needs no script, and is stretched to the width that there is.
struct LaneDrawing {
  let axis: TimeAxis

  /// How a state is drawn: higher than states of the device that draw less, in the colour of its power.
  struct Level: Hashable {
    /// Per cent of the lane's height.
    var height: Int
    /// 0 to 3; each is a class of the style sheet.
    var colour: Int

    static let nothing = Level(height: 0, colour: 0)
    /// Not on, and yet it draws something.
    static let idle = Level(height: 14, colour: 0)

    /// The levels of a device's states, by their number.
    static func all(of states: [PowerState]) -> [Level] {
      let powers = Set(states.filter(\.isOn).map(\.power)).sorted()
      return states.map { state in
        guard state.isOn, let rank = powers.firstIndex(of: state.power) else {
          return state.power > .zero ? idle : nothing
        }
        // On, and all that it draws it draws when it does something priced.
        guard state.power > .zero else { return Level(height: 14, colour: 1) }
        let part = powers.count == 1 ? 1 : Double(rank) / Double(powers.count - 1)
        return Level(height: 40 + Int(part * 60), colour: colour(of: state.power))
      }
    }

    /// The same colour is the same power on every lane.
    static func colour(of power: Power) -> Int {
      power < Power(nanowatts: 5_000_000) ? 1 : power < Power(nanowatts: 200_000_000) ? 2 : 3
    }

    /// What the colours mean.
    static let meanings = ["not on, and draws power", "under 5 mW", "under 200 mW", "200 mW and more"]
  }

  /// The states of a device over time.
  func states(_ lane: RunTimeline.DeviceLane) -> String {
    let levels = Level.all(of: lane.states)
    var paths: [String: String] = [:]
    for span in lane.spans.spans where levels.indices.contains(span.peak) {
      let level = levels[span.peak]
      guard level.height > 0 else { continue }
      let style = "s k\(level.colour)" + (span.count > 1 ? " merged" : "")
      paths[style, default: ""] += bar(span, height: level.height)
    }
    return svg(paths.sorted { $0.key < $1.key }.map { "<path class=\"\($0.key)\" d=\"\($0.value)\"/>" })
  }

  /// A rule in force over time; what it did at once is a thin line.
  func rule(_ log: LaneLog) -> String {
    let bars = log.spans.filter { $0.length > .zero }.map { bar($0, height: 100) }.joined()
    let acts = log.spans.filter { $0.length == .zero }.map { tick($0) }.joined()
    return svg([
      bars.isEmpty ? "" : "<path class=\"s rule\" d=\"\(bars)\"/>",
      acts.isEmpty ? "" : "<path class=\"tick\" d=\"\(acts)\"/>",
    ])
  }

  /// Moments, one thin line each; many that were merged are a pale block.
  func ticks(_ log: LaneLog) -> String {
    let lines = log.spans.filter { $0.length == .zero }.map { tick($0) }.joined()
    let blocks = log.spans.filter { $0.length > .zero }.map { bar($0, height: 100) }.joined()
    return svg([
      blocks.isEmpty ? "" : "<path class=\"tick merged\" d=\"\(blocks)\"/>",
      lines.isEmpty ? "" : "<path class=\"tick\" d=\"\(lines)\"/>",
    ])
  }

  private func svg(_ parts: [String]) -> String {
    let grid = axis.marks.map { "M\(axis.place($0.instant)) 0V100" }.joined()
    return "<svg viewBox=\"0 0 \(TimeAxis.width) 100\" preserveAspectRatio=\"none\" aria-hidden=\"true\">"
      + "<path class=\"ruling\" d=\"\(grid)\"/>" + parts.joined() + "</svg>"
  }

  private func bar(_ span: LaneSpan, height: Int) -> String {
    let left = axis.place(span.start)
    let width = max(4, axis.place(span.end) - left)
    return "M\(left) 100v-\(height)h\(width)v\(height)z"
  }

  private func tick(_ span: LaneSpan) -> String { "M\(axis.place(span.start)) 0V100" }
}
