/// Names a subscription within one topic table; never reused.
public struct SubscriberID: Hashable, Comparable, Sendable {
  public let number: Int64

  public static func < (left: SubscriberID, right: SubscriberID) -> Bool { left.number < right.number }
}
