/// One element of each scan: its name, its position in the order, and its format.
struct IIOScanElement: Hashable, Sendable {
  /// The prefix of the element's file names: `in_accel_x`, `in_timestamp`.
  var name: String
  var index: Int
  var type: IIOScanType

  var isTimestamp: Bool { name == "in_timestamp" }
}
