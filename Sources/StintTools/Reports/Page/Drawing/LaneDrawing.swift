import StintModel
import StintUnits

/// Draws a lane as static SVG. The drawing needs no script and scales to the available width.
struct LaneDrawing {
  let axis: TimeAxis

  /// The height and colour of a state. Among states that are on, a state with more power is higher, and the
  /// power alone determines the colour. A state that is not on but draws power has a fixed low height and
  /// colour 0.
  struct Level: Hashable {
    /// Height in per cent of the lane.
    var height: Int
    /// Colour index, 0 to 3; each is a class of the style sheet.
    var colour: Int

    static let nothing = Level(height: 0, colour: 0)
    /// The level of a state that is not on but draws power.
    static let idle = Level(height: 14, colour: 0)

    /// Returns the level of each state of a device, by state index.
    static func all(of states: [PowerState]) -> [Level] {
      let powers = Set(states.filter(\.isOn).map(\.power)).sorted()
      return states.map { state in
        guard state.isOn, let rank = powers.firstIndex(of: state.power) else {
          return state.power > .zero ? idle : nothing
        }
        // This state is on but draws no power; the device uses energy only for priced events.
        guard state.power > .zero else { return Level(height: 14, colour: 1) }
        let part = powers.count == 1 ? 1 : Double(rank) / Double(powers.count - 1)
        return Level(height: 40 + Int(part * 60), colour: colour(of: state.power))
      }
    }

    /// Returns the colour index of a power; equal powers have the same colour on all lanes.
    static func colour(of power: Power) -> Int {
      power < Power(nanowatts: 5_000_000) ? 1 : power < Power(nanowatts: 200_000_000) ? 2 : 3
    }

    /// Descriptions of the colours, by colour index.
    static let meanings = ["not on, and draws power", "under 5 mW", "under 200 mW", "200 mW and more"]
  }

  /// Draws the states of a device over time.
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

  /// Draws the periods in which a rule was in force; an instantaneous act is a thin line.
  func rule(_ log: LaneLog) -> String {
    let bars = log.spans.filter { $0.length > .zero }.map { bar($0, height: 100) }.joined()
    let acts = log.spans.filter { $0.length == .zero }.map { tick($0) }.joined()
    return svg([
      bars.isEmpty ? "" : "<path class=\"s rule\" d=\"\(bars)\"/>",
      acts.isEmpty ? "" : "<path class=\"tick\" d=\"\(acts)\"/>",
    ])
  }

  /// Draws instants as thin lines; merged instants are a pale block.
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
