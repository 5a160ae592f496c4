public import StintUnits

/// How often and how soon a subscriber wants samples, where that is less than what the device yields for all.
public struct SubscriberRate: Hashable, Sendable {
  /// No more than a sample each period; nil for all of them.
  public var period: TimeSpan?
  /// Samples may be gathered until the oldest has waited this long; nil for as they come.
  public var latency: TimeSpan?

  /// Makes a pace.
  ///
  /// - Precondition: neither is negative.
  public init(period: TimeSpan? = nil, latency: TimeSpan? = nil) {
    precondition((period ?? .zero) >= .zero && (latency ?? .zero) >= .zero, "a pace is not negative")
    self.period = period
    self.latency = latency
  }

  /// All samples, as they come.
  public static let everything = SubscriberRate()
}
