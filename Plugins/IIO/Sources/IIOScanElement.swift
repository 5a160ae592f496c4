/// One number of each scan: which it is, where it comes in the order, how it lies there.
struct IIOScanElement: Hashable, Sendable {
  /// The beginning of its files' names: `in_accel_x`, `in_timestamp`.
  var name: String
  var index: Int
  var type: IIOScanType

  var isTimestamp: Bool { name == "in_timestamp" }
}
