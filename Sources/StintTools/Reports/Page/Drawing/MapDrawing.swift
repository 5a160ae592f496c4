import StintModel
import StintUnits

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Darwin)
  import Darwin
#endif

/// Where the phone was and where it was said to be, on a flat map of its own: east is right, north is up.
struct MapDrawing {
  /// Units from the left edge to the right edge.
  static let width = 1000.0
  /// Metres of one degree of latitude.
  private static let degree = 111_195.0

  let height: Double
  /// Metres of one unit.
  let scale: Double
  private let west: Double
  private let north: Double
  private let narrowing: Double

  /// A map of all of the runs; nil when there is nothing to see on it.
  init?(_ timelines: [RunTimeline]) {
    guard timelines.contains(where: { $0.way.count > 1 || !$0.fixes.isEmpty }) else { return nil }
    let points = timelines.flatMap { $0.way + $0.fixes.map(\.position) }
    guard let first = points.first else { return nil }
    var (south, north, west, east) = (first.latitude, first.latitude, first.longitude, first.longitude)
    for point in points {
      (south, north) = (min(south, point.latitude), max(north, point.latitude))
      (west, east) = (min(west, point.longitude), max(east, point.longitude))
    }
    narrowing = max(0.01, cos((south + north) / 2 * .pi / 180))
    // Room for the circles of the finest positions, and something to see where nothing moves.
    let radii = timelines.flatMap { $0.fixes.compactMap(\.radius) }.sorted()
    let extent = max((east - west) * Self.degree * narrowing, (north - south) * Self.degree)
    let margin = max(20, extent * 0.05, min(radii.isEmpty ? 0 : radii[radii.count / 2], 500))
    let wide = (east - west) * Self.degree * narrowing + 2 * margin
    let high = (north - south) * Self.degree + 2 * margin
    // Neither a strip nor a tower.
    let ratio = min(max(high / wide, 0.45), 0.7)
    let shown = max(wide, high / ratio)
    scale = shown / Self.width
    height = (Self.width * ratio).rounded()
    self.west = (west + east) / 2 - shown / 2 / Self.degree / narrowing
    self.north = (south + north) / 2 + height * scale / 2 / Self.degree
  }

  /// Where a position is drawn.
  func place(_ position: Coordinate) -> (x: Double, y: Double) {
    (
      (position.longitude - west) * Self.degree * narrowing / scale,
      (north - position.latitude) * Self.degree / scale
    )
  }

  /// A round length for the scale bar, and how much of the map's width it takes, in per cent.
  var bar: (metres: Double, percent: String) {
    let metres = CurveDrawing.round(Self.width * scale / 6)
    return (metres, QuantityFormat.decimal(metres / scale / Self.width * 100))
  }

  /// One run's map.
  func svg(_ timeline: RunTimeline) -> String {
    let size = "0 0 \(Int(Self.width)) \(Int(height))"
    var parts = ["<svg viewBox=\"\(size)\" aria-hidden=\"true\">"]
    for device in timeline.devices.indices {
      let fixes = timeline.fixes.filter { $0.device == device }
      guard !fixes.isEmpty else { continue }
      // One opacity for all circles of a device: where many lie over each other it does not add up.
      parts.append("<g class=\"circles d\(style(of: device, timeline))\">")
      for fix in fixes {
        guard let radius = fix.radius else { continue }
        let (x, y) = place(fix.position)
        parts.append("<circle cx=\"\(short(x))\" cy=\"\(short(y))\" r=\"\(short(radius / scale))\"/>")
      }
      parts.append("</g>")
    }
    if !timeline.way.isEmpty {
      parts.append("<path class=\"way\" d=\"\(line(timeline.way))\"/>")
    }
    for device in timeline.devices.indices {
      let dots = timeline.fixes.filter { $0.device == device }.map { fix -> String in
        let (x, y) = place(fix.position)
        return "M\(short(x)) \(short(y))h0"
      }
      guard !dots.isEmpty else { continue }
      let style = style(of: device, timeline)
      parts.append("<path class=\"dots d\(style)\" d=\"\(dots.joined())\"/>")
      if style > 0 { parts.append("<path class=\"dots core d\(style)\" d=\"\(dots.joined())\"/>") }
    }
    parts.append("</svg>")
    return parts.joined()
  }

  /// How the positions of a device are drawn: the finest in one way, the next in another, all others in a third.
  func style(of device: Int, _ timeline: RunTimeline) -> Int {
    let radii = Dictionary(grouping: timeline.fixes, by: \.device).mapValues { fixes in
      let radii = fixes.compactMap(\.radius).sorted()
      return radii.isEmpty ? Double.infinity : radii[radii.count / 2]
    }
    let finest = radii.sorted { ($0.value, $0.key) < ($1.value, $1.key) }.map(\.key)
    return min(finest.firstIndex(of: device) ?? 2, 2)
  }

  private func line(_ way: [Coordinate]) -> String {
    way.enumerated().map { index, position in
      let (x, y) = place(position)
      return "\(index == 0 ? "M" : "L")\(short(x)) \(short(y))"
    }.joined()
  }

  /// Three decimals: a map can be drawn larger than it is shown at first.
  private func short(_ value: Double) -> String {
    let thousandths = Int64((min(max(value, -1e5), 1e5) * 1000).rounded())
    let digits = String(thousandths.magnitude % 1000)
    var text = "\(thousandths < 0 ? "-" : "")\(thousandths.magnitude / 1000)"
    if digits != "0" { text += "." + String(repeating: "0", count: 3 - digits.count) + digits }
    return text
  }
}
