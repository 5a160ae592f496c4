import StintModel
import StintUnits

/// One region with where the phone stands to it.
struct RegionWatch: Sendable {
  let region: Region
  var crossing: Crossing
  private var wasTold = false

  init(_ region: Region) {
    self.region = region
    crossing = Crossing(
      enterAfter: region.enterAfter, exitAfter: region.exitAfter, memory: .unlimited)
  }

  /// Whether it is known where the phone is, and nothing speaks against it.
  var isSettled: Bool { crossing.isInside != nil && crossing.candidate == nil }

  mutating func take(_ fix: PositionFix, at instant: Instant) {
    let distance = region.centre.distance(to: fix.place)
    crossing.take(distance: distance, accuracy: fix.accuracy, ofCircle: region.radius, at: instant)
  }

  /// How far the edge is at least, in metres.
  func margin(from fix: PositionFix) -> Double {
    max(0, abs(region.centre.distance(to: fix.place) - region.radius) - fix.accuracy)
  }

  /// Takes the notice to deliver now; nil when there is none.
  mutating func notice() -> RegionNotice? {
    defer { crossing.endPulse() }
    if let pulse = crossing.pulse { return pulse == .enter ? .entered(region.name) : .exited(region.name) }
    guard !wasTold, let isInside = crossing.isInside else { return nil }
    wasTold = true
    return .known(region: region.name, isInside: isInside)
  }
}

extension RegionWatch {
  var memory: MemoryValue {
    var parts: [String: MemoryValue] = [
      "name": .text(region.name), "latitude": .number(region.centre.latitude),
      "longitude": .number(region.centre.longitude), "radius": .number(region.radius),
      "enter_after": .integer(region.enterAfter.nanoseconds),
      "exit_after": .integer(region.exitAfter.nanoseconds),
    ]
    if let isInside = crossing.isInside { parts["inside"] = .truth(isInside) }
    return .record(parts)
  }

  init?(memory: MemoryValue) {
    guard let name = memory["name"]?.text, let latitude = memory["latitude"]?.number,
      let longitude = memory["longitude"]?.number, let radius = memory["radius"]?.number,
      let enterAfter = memory["enter_after"]?.integer, let exitAfter = memory["exit_after"]?.integer,
      let centre = Coordinate(latitude: latitude, longitude: longitude)
    else { return nil }
    self.init(
      Region(
        name, centre: centre, radius: radius, enterAfter: TimeSpan(nanoseconds: enterAfter),
        exitAfter: TimeSpan(nanoseconds: exitAfter)))
    if let isInside = memory["inside"]?.truth {
      // If the next fix differs, the crossing happened between the two processes.
      crossing.recall(isInside: isInside, candidate: nil, lastFix: nil)
      wasTold = true
    }
  }
}
