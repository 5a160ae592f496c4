import StintModel
import StintSystem
import StintUnits

/// A flat map of the phone's true path and the reported positions. East is right, north is up.
struct MapDrawing {
  /// The width of the map in drawing units.
  static let width = 1000.0
  /// The length of one degree of latitude in metres.
  private static let degree = 111_195.0

  /// The height of the map in drawing units.
  let height: Double
  /// Metres per drawing unit.
  let scale: Double
  private let west: Double
  private let north: Double
  /// The length of one degree of longitude, as a share of `degree`.
  private let narrowing: Double

  /// Creates a map that covers all runs; nil when there is no movement and no fix.
  init?(_ timelines: [RunTimeline]) {
    guard timelines.contains(where: { $0.truePath.count > 1 || !$0.fixes.isEmpty }) else { return nil }
    let points = timelines.flatMap { $0.truePath + $0.fixes.map(\.position) }
    guard let first = points.first else { return nil }
    var (south, north, west, east) = (first.latitude, first.latitude, first.longitude, first.longitude)
    for point in points {
      (south, north) = (min(south, point.latitude), max(north, point.latitude))
      (west, east) = (min(west, point.longitude), max(east, point.longitude))
    }
    narrowing = max(0.01, cos((south + north) / 2 * .pi / 180))
    // The margin leaves space for the accuracy circles, and avoids an empty map when the phone does not move.
    let radii = timelines.flatMap { $0.fixes.compactMap(\.radius) }.sorted()
    let extent = max((east - west) * Self.degree * narrowing, (north - south) * Self.degree)
    let margin = max(20, extent * 0.05, min(radii.isEmpty ? 0 : radii[radii.count / 2], 500))
    let wide = (east - west) * Self.degree * narrowing + 2 * margin
    let high = (north - south) * Self.degree + 2 * margin
    // Limits the aspect ratio of the map.
    let ratio = min(max(high / wide, 0.45), 0.7)
    let shown = max(wide, high / ratio)
    scale = shown / Self.width
    height = (Self.width * ratio).rounded()
    self.west = (west + east) / 2 - shown / 2 / Self.degree / narrowing
    self.north = (south + north) / 2 + height * scale / 2 / Self.degree
  }

  /// Returns the drawing coordinates of a position.
  func place(_ position: Coordinate) -> (x: Double, y: Double) {
    (
      (position.longitude - west) * Self.degree * narrowing / scale,
      (north - position.latitude) * Self.degree / scale
    )
  }

  /// A round length for the scale bar, and its share of the map's width in per cent.
  var bar: (metres: Double, percent: String) {
    let metres = CurveDrawing.round(Self.width * scale / 6)
    return (metres, QuantityFormat.decimal(metres / scale / Self.width * 100))
  }

  func svg(_ timeline: RunTimeline) -> String {
    let size = "0 0 \(Int(Self.width)) \(Int(height))"
    var parts = ["<svg viewBox=\"\(size)\" aria-hidden=\"true\">"]
    for device in timeline.devices.indices {
      let fixes = timeline.fixes.filter { $0.device == device }
      guard !fixes.isEmpty else { continue }
      // The whole group has one opacity, so that overlapping circles do not become darker.
      parts.append("<g class=\"circles d\(style(of: device, timeline))\">")
      for fix in fixes {
        guard let radius = fix.radius else { continue }
        let (x, y) = place(fix.position)
        parts.append("<circle cx=\"\(short(x))\" cy=\"\(short(y))\" r=\"\(short(radius / scale))\"/>")
      }
      parts.append("</g>")
    }
    if !timeline.truePath.isEmpty {
      parts.append("<path class=\"way\" d=\"\(line(timeline.truePath))\"/>")
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

  /// Returns the style index of a device's positions. The index is 0 for the most accurate device, 1 for the
  /// next device, and 2 for all further devices.
  func style(of device: Int, _ timeline: RunTimeline) -> Int {
    let radii = Dictionary(grouping: timeline.fixes, by: \.device).mapValues { fixes in
      let radii = fixes.compactMap(\.radius).sorted()
      return radii.isEmpty ? Double.infinity : radii[radii.count / 2]
    }
    let finest = radii.sorted { ($0.value, $0.key) < ($1.value, $1.key) }.map(\.key)
    return min(finest.firstIndex(of: device) ?? 2, 2)
  }

  private func line(_ truePath: [Coordinate]) -> String {
    truePath.enumerated().map { index, position in
      let (x, y) = place(position)
      return "\(index == 0 ? "M" : "L")\(short(x)) \(short(y))"
    }.joined()
  }

  /// Returns a coordinate as text. It is rounded to three decimals, and not to whole units, because the
  /// reader can enlarge the map.
  private func short(_ value: Double) -> String {
    let thousandths = Int64((min(max(value, -1e5), 1e5) * 1000).rounded())
    let digits = String(thousandths.magnitude % 1000)
    var text = "\(thousandths < 0 ? "-" : "")\(thousandths.magnitude / 1000)"
    if digits != "0" { text += "." + String(repeating: "0", count: 3 - digits.count) + digits }
    return text
  }
}
