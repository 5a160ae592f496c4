public import StintUnits

/// The sample rate and the delivery latency of a subscriber that needs less than the device delivers.
public struct SubscriberRate: Hashable, Sendable {
  /// The minimum mean time between two samples; single intervals may be shorter. Nil for all samples.
  public var period: TimeSpan?
  /// The longest time that a sample may be held back for gathering; nil for immediate delivery.
  public var latency: TimeSpan?

  /// Creates a rate.
  ///
  /// - Precondition: neither value is negative.
  public init(period: TimeSpan? = nil, latency: TimeSpan? = nil) {
    precondition((period ?? .zero) >= .zero && (latency ?? .zero) >= .zero, "a period or latency is negative")
    self.period = period
    self.latency = latency
  }

  /// All samples, delivered immediately.
  public static let everything = SubscriberRate()
}
