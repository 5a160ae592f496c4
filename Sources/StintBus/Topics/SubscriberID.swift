/// Identifies a subscription within one topic table. Ids are not reused.
public struct SubscriberID: Hashable, Comparable, Sendable {
  /// The number of the subscription, ascending from 1 in the order of subscription.
  public let number: Int64

  /// Compares in the order of subscription.
  public static func < (left: SubscriberID, right: SubscriberID) -> Bool { left.number < right.number }
}
