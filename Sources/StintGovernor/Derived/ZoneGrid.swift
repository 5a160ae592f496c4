import StintModel
import StintUnits

/// Finds the circular zones that a fix may affect, usually without a test of all zones.
///
/// Circles of similar size share a level, whose cells are about as wide as the circles. The fix is certainly
/// outside of every circle that is not found. Some circles that are found may be far from the fix.
struct ZoneGrid: Sendable {
  private struct Cell: Hashable {
    var row: Int
    var column: Int
  }

  /// The circles with radii up to `radius`, in metres.
  private struct Level: Sendable {
    let radius: Double
    /// The width of a cell in degrees.
    let width: Double
    var zones: [Int] = []
    var cells: [Cell: [Int]] = [:]

    func row(_ latitude: Double) -> Int { Int((latitude / width).rounded(.down)) }
    func column(_ longitude: Double) -> Int { Int((longitude / width).rounded(.down)) }
  }

  /// The approximate length of one degree of latitude, in metres. Cells need no exact size.
  private static let metresPerDegree = 111_000.0
  /// The radius, in metres, of the largest circle on the finest possible level.
  private static let finest = 250.0
  /// The radius, in metres, above which circles are tested with every fix.
  private static let largest = 1_000_000.0

  private var levels: [Level] = []
  /// The circles that are too large for the levels. Every search finds them.
  private var alwaysFound: [Int] = []

  /// Creates a grid from the circles among the zones.
  init(_ zones: [Zone]) {
    for (number, zone) in zones.enumerated() {
      guard case .circle(let centre, let radius) = zone.shape else { continue }
      guard radius <= Self.largest else {
        alwaysFound.append(number)
        continue
      }
      add(number, at: centre, level(for: radius))
    }
  }

  private mutating func level(for radius: Double) -> Int {
    var limit = Self.finest
    while limit < radius { limit *= 4 }
    if let place = levels.firstIndex(where: { $0.radius == limit }) { return place }
    levels.append(Level(radius: limit, width: limit / Self.metresPerDegree))
    return levels.count - 1
  }

  private mutating func add(_ zone: Int, at centre: Coordinate, _ level: Int) {
    let cell = Cell(
      row: levels[level].row(centre.latitude), column: levels[level].column(centre.longitude))
    levels[level].zones.append(zone)
    levels[level].cells[cell, default: []].append(zone)
  }

  /// Appends the indexes of the circles that a fix may affect, in no particular order. `radius` is the 95 %
  /// radius of the fix, in metres.
  func find(about place: Coordinate, radius: Double, into found: inout [Int]) {
    found += alwaysFound
    for level in levels {
      Self.find(in: level, about: place, level.radius + max(radius, 0), into: &found)
    }
  }

  private static func find(
    in level: Level, about place: Coordinate, _ metres: Double, into found: inout [Int]
  ) {
    let reach = place.reach(of: metres)
    let rows = Int(min(2 * reach.north / level.width, 1e6)) + 2
    let columns = Int(min(2 * reach.east / level.width, 1e6)) + 2
    guard reach.east < 180, rows * columns <= level.zones.count else {
      found += level.zones
      return
    }
    let (south, north) = (
      level.row(place.latitude - reach.north), level.row(place.latitude + reach.north)
    )
    // An area that crosses the date line continues on the other side.
    for shift in [-360.0, 0, 360] {
      let west = max(place.longitude - reach.east + shift, -180)
      let east = min(place.longitude + reach.east + shift, 180)
      guard west <= east else { continue }
      for row in south...north {
        for column in level.column(west)...level.column(east) {
          if let zones = level.cells[Cell(row: row, column: column)] { found += zones }
        }
      }
    }
  }
}
