import StintSystem
import StintUnits

/// Simplifies a path to the points that preserve its shape.
struct SimplifiedPath {
  private let points: [Coordinate]
  /// The points in metres on a flat map.
  private let flat: [(east: Double, north: Double)]

  init(_ points: [Coordinate]) {
    self.points = points
    let narrowing = points.first.map { cos($0.latitude * .pi / 180) } ?? 1
    flat = points.map { ($0.longitude * 111_195 * narrowing, $0.latitude * 111_195) }
  }

  /// Returns at most `limit` points, but at least the two ends of the path. The points follow the path within
  /// one metre if the limit allows this.
  func simplified(to limit: Int) -> [Coordinate] {
    var tolerance = 1.0
    while true {
      let kept = kept(within: tolerance)
      if kept.count <= max(limit, 2) { return kept.map { points[$0] } }
      tolerance *= 1.5
    }
  }

  /// Returns the indexes of the points to keep. Every removed point is within the tolerance, in metres, of
  /// the simplified line.
  private func kept(within tolerance: Double) -> [Int] {
    guard points.count > 2 else { return Array(points.indices) }
    var isKept = Array(repeating: false, count: points.count)
    isKept[0] = true
    isKept[points.count - 1] = true
    var open = [(0, points.count - 1)]
    while let (first, last) = open.popLast() {
      var farthest = (index: first, distance: tolerance)
      for index in first..<last where index > first {
        let distance = distance(of: index, from: first, to: last)
        if distance > farthest.distance { farthest = (index, distance) }
      }
      guard farthest.index > first else { continue }
      isKept[farthest.index] = true
      open += [(first, farthest.index), (farthest.index, last)]
    }
    return points.indices.filter { isKept[$0] }
  }

  /// Returns the distance in metres from a point to the line between `first` and `last`.
  private func distance(of index: Int, from first: Int, to last: Int) -> Double {
    let (start, end, point) = (flat[first], flat[last], flat[index])
    let (east, north) = (end.east - start.east, end.north - start.north)
    let length = east * east + north * north
    let along = (point.east - start.east) * east + (point.north - start.north) * north
    let part = length > 0 ? min(max(along / length, 0), 1) : 0
    let (aside, beyond) = (start.east + part * east - point.east, start.north + part * north - point.north)
    return (aside * aside + beyond * beyond).squareRoot()
  }
}
