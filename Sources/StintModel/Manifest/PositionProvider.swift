public import StintUnits

/// Determines how sensors that publish positions serve zones. The policy checker, the analyses and the
/// governor use these functions.
extension Manifest {
  /// The smallest 95 % radius of the sensor's positions, in metres, from the manifest. The value is 0 when
  /// the manifest specifies no radius.
  public var positionAccuracy: Double {
    ladder?.serves ?? attribute(named: "accuracy")?.range?.lowerBound ?? 0
  }

  /// Returns whether the sensor publishes positions only while it is on.
  public func publishesPositions(_ vocabulary: Vocabulary) -> Bool {
    kind == .sensor
      && ["latitude", "longitude", "accuracy"].allSatisfy {
        vocabulary.schema("\(device.path).\($0)")?.isAlwaysPublished == false
      }
  }

  /// The name of the figure that states the highest plausible speed of the person or vehicle that carries the
  /// sensor.
  static let topSpeedFigure = "top_speed"

  /// The highest plausible speed of the person or vehicle that carries the sensor, in metres per second. Nil
  /// when the manifest has no figure `top_speed`. The time of the next position probe follows from this
  /// speed.
  public var topSpeed: Double? { figures[Self.topSpeedFigure]?.value }

  /// The highest plausible speed, in metres per second, when no manifest specifies a speed.
  public static let usualTopSpeed = 45.0

  /// How long one position probe may take.
  public static let probeTimeout = TimeSpan.seconds(90)

  /// The shortest time for which a sensor that found no position is not used for probes.
  public static let probeRetry = TimeSpan.minutes(5)

  /// The shortest time between two probes of the sensor for zones. It is 30 s when a probe costs at most 1 J,
  /// otherwise 2 min.
  public var shortestProbePause: TimeSpan {
    readingEnergy(within: Self.probeTimeout) <= Energy(nanojoules: 1_000_000_000)
      ? .seconds(30) : .minutes(2)
  }

  /// Returns whether positions of the sensor can decide on which side of a zone's border the host is.
  public func decides(_ zone: Zone) -> Bool {
    guard case .circle(_, let radius) = zone.shape else { return false }
    return positionAccuracy <= Zone.accuracyToDecide(circleOf: radius)
  }
}

extension Zone {
  /// Returns the largest 95 % radius with which a position can decide whether the host is inside a circle.
  /// Both radii are in metres.
  public static func accuracyToDecide(circleOf radius: Double) -> Double { radius / 2 }
}
