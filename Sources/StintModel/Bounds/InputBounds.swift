public import StintUnits

/// The bounds of numbers that come from outside: from manifests, plugins, clients, scenarios and kept state.
///
/// Each lies far beyond what a device or a person needs, and far below what arithmetic can hold. Readers refuse what
/// lies outside with place, cause and remedy; the core would not trap on it either.
public enum InputBounds {
  /// The largest power of a state, and the largest that one hertz may add: 10 kW.
  public static let power = Power(nanowatts: 10_000_000_000_000)
  /// The largest energy of one event: 1 kJ.
  public static let event = Energy(nanojoules: 1_000_000_000_000)
  /// The longest span of time: 70 years, within `PolicyLimits.longestSpan`.
  public static let span = TimeSpan.hours(24 * 25_567)
  /// The shortest time between two samples: 1 µs.
  public static let shortestPeriod = TimeSpan(nanoseconds: 1_000)
  /// The highest rate, in hertz; that of `shortestPeriod`.
  public static let rate = 1e6
  /// The most bytes of one transfer each way: 1 PiB.
  public static let bytes: Int64 = 1 << 50
  /// The most times that one report may count an event.
  public static let eventCount = Int(UInt32.max)
  /// The most samples that may be lost between two that come.
  public static let sampleGap: UInt64 = 1_000_000
  /// The largest magnitude of any other quantity, in base units.
  public static let quantity = 1e18
  /// The most samples that a device may say it holds.
  public static let fifo = 10_000_000
  /// The most entries of one list of a manifest.
  public static let entries = 4096
}

extension InputBounds {
  /// Why a power cannot be believed; nil when it can.
  public static func rejectionReason(for power: Power) -> String? {
    if power < .zero { return "a power is not negative" }
    return power <= Self.power ? nil : "\(Quantity(power.watts, .power)) is more than 10 kW"
  }

  /// Why the energy of one event cannot be believed; nil when it can.
  public static func rejectionReason(for energy: Energy) -> String? {
    if energy < .zero { return "an energy is not negative" }
    return energy <= event ? nil : "\(Quantity(energy.joules, .energy)) is more than 1 kJ"
  }

  /// Why a span of time cannot be used; nil when it can.
  public static func rejectionReason(for span: TimeSpan) -> String? {
    if span < .zero { return "a time is not negative" }
    return span <= Self.span ? nil : "\(span) is more than 70 years"
  }

  /// Why the time between two samples cannot be used; nil when it can.
  public static func rejectionReason(forPeriod period: TimeSpan) -> String? {
    if period < shortestPeriod { return "a period of \(period) is shorter than \(shortestPeriod)" }
    return period <= span ? nil : "a period of \(period) is more than 70 years"
  }

  /// Why a quantity cannot be used; nil when it can.
  public static func rejectionReason(for quantity: Quantity) -> String? {
    guard quantity.value.isFinite, abs(quantity.value) <= Self.quantity else {
      return "\(quantity.value) is no number that a device has"
    }
    if quantity.dimension == .time, abs(quantity.value) > span.seconds {
      return "\(quantity) is more than 70 years"
    }
    if quantity.dimension == .rate, abs(quantity.value) > rate { return "\(quantity) is more than 1 MHz" }
    return nil
  }
}

extension DemandSettings {
  /// Why these wants cannot be granted, by their numbers; nil when the numbers can be used.
  public var rejectionReason: String? {
    if let accuracy, !(accuracy >= 0 && accuracy <= InputBounds.quantity) {
      return "an accuracy of \(accuracy) m cannot be asked for; ask for 0 m to 10¹⁸ m"
    }
    if let period, period <= .zero || period > InputBounds.span {
      return "a period of \(period) cannot be asked for; ask for more than 0 s, at most 70 years"
    }
    if let latency, latency < .zero {
      return "a latency of \(latency) cannot be asked for; ask for 0 s or more"
    }
    return transfer?.rejectionReason
  }
}

extension Transfer {
  /// Why it cannot be carried, by its numbers; nil when it can.
  public var rejectionReason: String? {
    let range = 0...InputBounds.bytes
    if !range.contains(bytesUp) || !range.contains(bytesDown) {
      let bytes = range.contains(bytesUp) ? bytesDown : bytesUp
      return "a transfer of \(bytes) bytes cannot be asked for; ask for 0 B to 1 PiB each way"
    }
    if let deadline, deadline < .zero { return "a deadline of \(deadline) is over before it begins" }
    return nil
  }
}
