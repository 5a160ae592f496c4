public import StintUnits

/// The bounds of numbers from outside: from manifests, plugins, clients, scenarios and saved state.
///
/// Each bound is far beyond the needs of any device or person, and far below the limits of the arithmetic.
/// The code that reads these numbers rejects values outside the bounds, and reports the location, the cause
/// and a remedy. If such a value still reaches the core, the core does not trap.
public enum InputBounds {
  /// The largest power of a state, and the largest power per hertz: 10 kW.
  public static let power = Power(nanowatts: 10_000_000_000_000)
  /// The largest energy of one event: 1 kJ.
  public static let event = Energy(nanojoules: 1_000_000_000_000)
  /// The longest time span: 70 years, within `PolicyLimits.maxSpan`.
  public static let span = TimeSpan.hours(24 * 25_567)
  /// The latest instant of virtual time: 200 years after 1970. A later `span` does not overflow.
  public static let lastInstant = Instant.epoch + .hours(24 * 73_049)
  /// The shortest time between two samples: 1 µs.
  public static let shortestPeriod = TimeSpan(nanoseconds: 1_000)
  /// The highest rate, in hertz; the inverse of `shortestPeriod`.
  public static let rate = 1e6
  /// The maximum size of one transfer in each direction: 1 PiB.
  public static let bytes: Int64 = 1 << 50
  /// The largest count of one event in a single report.
  public static let eventCount = Int(UInt32.max)
  /// The largest number of samples lost between two received samples.
  public static let sampleGap: UInt64 = 1_000_000
  /// The largest magnitude of any other quantity, in base units.
  public static let quantity = 1e18
  /// The largest length in a request: 100 000 km, more than twice around the Earth.
  public static let length = Length.kilometers(100_000)
  /// The largest FIFO capacity of a device, in samples.
  public static let fifo = 10_000_000
  /// The longest name of a client, a service or a region, in bytes of UTF-8.
  public static let name = 256
  /// The longest address of a transfer, in bytes of UTF-8.
  public static let address = 8192
  /// The longest path of a file, in bytes of UTF-8.
  public static let path = 4096
  /// The longest identity of a beacon, in characters.
  public static let identity = 64
  /// The longest key of a family of facts, in bytes.
  public static let key = 64
  /// The largest number of keys of a family of facts.
  public static let keys = 256
  /// The largest number of channels of a device.
  public static let channels = 64
  /// The largest number of channels of bytes of a device.
  public static let byteChannels = 4
  /// The largest number of bytes of one value of a channel. A frame has one byte for this number.
  public static let channelBytes = 255
  /// The largest number of entries in one array of a manifest.
  public static let entries = 4096
}

extension InputBounds {
  /// Returns the reason to reject a power; nil when the power is plausible.
  public static func rejectionReason(for power: Power) -> String? {
    if power < .zero { return "the power is negative" }
    return power <= Self.power ? nil : "\(Quantity(power.watts, .power)) is more than 10 kW"
  }

  /// Returns the reason to reject the energy of one event; nil when the energy is plausible.
  public static func rejectionReason(for energy: Energy) -> String? {
    if energy < .zero { return "the energy is negative" }
    return energy <= event ? nil : "\(Quantity(energy.joules, .energy)) is more than 1 kJ"
  }

  /// Returns the reason to reject a time span; nil when the span is valid.
  public static func rejectionReason(for span: TimeSpan) -> String? {
    if span < .zero { return "the time is negative" }
    return span <= Self.span ? nil : "\(span) is more than 70 years"
  }

  /// Returns the reason to reject a name that a client chose; nil when the name is valid. A valid name fits
  /// into one line of a report.
  public static func rejectionReason(forName name: String) -> String? {
    rejectionReason(for: name, "name", atMost: Self.name)
  }

  /// Returns the reason to reject the address of a transfer; nil when the address is valid. A carrier can
  /// read a valid address as one line.
  public static func rejectionReason(forAddress address: String) -> String? {
    rejectionReason(for: address, "address", atMost: Self.address)
  }

  /// Returns the reason to reject the path of a file; nil when the path is valid. A carrier can read a valid
  /// path as one line.
  public static func rejectionReason(forPath path: String) -> String? {
    rejectionReason(for: path, "path", atMost: Self.path)
  }

  private static func rejectionReason(for text: String, _ noun: String, atMost limit: Int) -> String? {
    if text.isEmpty { return "the \(noun) is empty; write \(noun == "address" ? "an" : "a") \(noun)" }
    let hasControlCharacter = text.unicodeScalars.contains { character in
      character.properties.generalCategory == .control || character == "\u{2028}" || character == "\u{2029}"
    }
    if hasControlCharacter { return "the \(noun) contains a line break or control character; remove it" }
    return text.utf8.count <= limit ? nil : "the \(noun) is longer than \(limit) bytes; shorten it"
  }

  /// Returns the reason to reject the identity of beacons, which is one word of a fact's path. Nil when the
  /// identity is valid.
  public static func rejectionReason(forIdentity identity: String) -> String? {
    let isValid = identity.utf8.allSatisfy { byte in
      switch byte {
      case 0x30...0x39, 0x41...0x5A, 0x61...0x7A, 0x2D, 0x5F: true
      default: false
      }
    }
    if isValid, !identity.isEmpty, identity.utf8.count <= Self.identity { return nil }
    return "a beacon's identity has 1 to \(Self.identity) letters, digits, “-” and “_”, such as f7826da6"
  }

  /// The use of a length in a request, which determines the least length.
  public enum LengthUse: Sendable {
    /// The 95 % radius of positions: above 0 m.
    case accuracy
    /// A distance between two places or deliveries: 0 m or more.
    case distance
    /// The radius of a region: 1 m or more.
    case radius

    fileprivate var range: String {
      switch self {
      case .accuracy: "more than 0 m, at most 100 000 km"
      case .distance: "0 m to 100 000 km"
      case .radius: "1 m to 100 000 km"
      }
    }

    fileprivate func contains(_ meters: Double) -> Bool {
      guard meters <= InputBounds.length.meters else { return false }
      return switch self {
      case .accuracy: meters > 0
      case .distance: meters >= 0
      case .radius: meters >= 1
      }
    }
  }

  /// Returns the reason to reject a length in a request; nil when the length is valid. Every request and
  /// command uses this check.
  ///
  /// - Parameters:
  ///   - length: the length to check; NaN and infinite lengths are rejected.
  ///   - subject: the setting, such as `the accuracy`.
  ///   - use: the use of the length, which determines its range.
  public static func rejectionReason(
    for length: Length, _ subject: String, _ use: LengthUse
  ) -> String? {
    use.contains(length.meters)
      ? nil : "\(subject) \(length.meters) m is invalid; use \(use.range)"
  }

  /// The use of a time in a request, which determines the least time.
  public enum TimeUse: Sendable {
    /// The time between two events, or the time limit of work: above 0 s.
    case period
    /// An age or a delay: 0 s or more.
    case delay

    fileprivate var range: String { self == .period ? "more than 0 s, at most 70 years" : "0 s to 70 years" }
  }

  /// Returns the reason to reject a time in a request; nil when the time is valid. Every request, command and
  /// call with a time uses this check, so that later sums of times stay far from the limits of the
  /// arithmetic.
  ///
  /// - Parameters:
  ///   - time: the time to check; any value is safe.
  ///   - subject: the setting, such as `the timeout`.
  ///   - use: the use of the time, which determines its range.
  public static func rejectionReason(for time: Duration, _ subject: String, _ use: TimeUse) -> String? {
    let isValid = (use == .period ? time > .zero : time >= .zero) && time <= span.duration
    return isValid ? nil : "\(subject) \(time.timeSpan) is invalid; use \(use.range)"
  }

  /// Returns the reason to reject the time between two samples; nil when the period is valid.
  public static func rejectionReason(forPeriod period: TimeSpan) -> String? {
    if period < shortestPeriod { return "a period of \(period) is shorter than \(shortestPeriod)" }
    return period <= span ? nil : "a period of \(period) is more than 70 years"
  }

  /// Returns the reason to reject a quantity; nil when the quantity is valid.
  public static func rejectionReason(for quantity: Quantity) -> String? {
    guard quantity.value.isFinite, abs(quantity.value) <= Self.quantity else {
      return "\(quantity.value) is too large or not finite"
    }
    if quantity.dimension == .time, abs(quantity.value) > span.seconds {
      return "\(quantity) is more than 70 years"
    }
    if quantity.dimension == .rate, abs(quantity.value) > rate { return "\(quantity) is more than 1 MHz" }
    return nil
  }
}

extension DemandSettings {
  /// The reason to reject these settings because of a number out of range; nil when all numbers are valid.
  public var rejectionReason: String? {
    if let accuracy, !(accuracy >= 0 && accuracy <= InputBounds.quantity) {
      return "an accuracy of \(accuracy) m is out of range; request 0 m to 10¹⁸ m"
    }
    if let period,
      let reason = InputBounds.rejectionReason(for: period.duration, "the period", .period)
    {
      return reason
    }
    if let latency,
      let reason = InputBounds.rejectionReason(for: latency.duration, "the latency", .delay)
    {
      return reason
    }
    return transfer?.rejectionReason
  }
}

extension Transfer {
  /// The reason to reject this transfer because of a number out of range; nil when all numbers are valid.
  public var rejectionReason: String? {
    let range = 0...InputBounds.bytes
    if !range.contains(bytesUp) || !range.contains(bytesDown) {
      let bytes = range.contains(bytesUp) ? bytesDown : bytesUp
      return "a transfer of \(bytes) bytes is out of range; request 0 B to 1 PiB each way"
    }
    return deadline.flatMap { InputBounds.rejectionReason(for: $0.duration, "the deadline", .delay) }
  }
}
