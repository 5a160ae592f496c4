import StintModel
import StintUnits

/// One region with the position of the host relative to it.
struct RegionWatch: Sendable {
  let region: Region
  var crossing: Crossing
  private var wasReported = false

  init(_ region: Region) {
    self.region = region
    crossing = Crossing(
      enterAfter: region.enterAfter.timeSpan, exitAfter: region.exitAfter.timeSpan, memory: .unlimited)
  }

  /// Whether the state is known and no observation contradicts it.
  var isSettled: Bool { crossing.isInside != nil && crossing.candidate == nil }

  mutating func ingest(_ fix: Fix, at instant: Instant) {
    let distance = region.centre.distance(to: fix.coordinate)
    crossing.ingest(distance: distance, accuracy: fix.accuracy, ofCircle: region.radius.meters, at: instant)
  }

  /// Returns the distance from the measured position to the border, in metres.
  func gap(from fix: Fix) -> Double {
    abs(region.centre.distance(to: fix.coordinate) - region.radius.meters)
  }

  /// Returns the distance of a position from the border, in metres. Positive on the side of the known state,
  /// negative on the other side; nil while the state is unknown.
  func agreement(with fix: Fix) -> Double? {
    guard let isInside = crossing.isInside else { return nil }
    let inward = region.radius.meters - region.centre.distance(to: fix.coordinate)
    return isInside ? inward : -inward
  }

  /// Returns the notice to deliver now and clears it; nil when no notice waits.
  mutating func notice() -> RegionNotice? {
    defer { crossing.endPulse() }
    if let pulse = crossing.pulse { return pulse == .enter ? .entered(region.name) : .exited(region.name) }
    guard !wasReported, let isInside = crossing.isInside else { return nil }
    wasReported = true
    return .known(region: region.name, isInside: isInside)
  }
}

extension RegionWatch: Codable {
  private enum CodingKeys: String, CodingKey { case region, inside }

  /// Decodes the region and the last known state.
  ///
  /// When the next fix contradicts this state, the crossing happened while no process ran, and is reported.
  init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: CodingKeys.self)
    self.init(try container.decode(Region.self, forKey: .region))
    guard let isInside = try container.decodeIfPresent(Bool.self, forKey: .inside) else { return }
    crossing.restore(isInside: isInside, candidate: nil, lastFix: nil)
    wasReported = true
  }

  func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: CodingKeys.self)
    try container.encode(region, forKey: .region)
    try container.encodeIfPresent(crossing.isInside, forKey: .inside)
  }
}
