/// Which devices something is to be done for; whether there may be any is known without looking at each.
struct DeviceMarks: Sendable {
  private var marks: ContiguousArray<Bool>
  private(set) var isEmpty = true

  init(count: Int) { marks = ContiguousArray(repeating: false, count: count) }

  subscript(device: Int) -> Bool {
    get { marks[device] }
    set {
      marks[device] = newValue
      if newValue { isEmpty = false }
    }
  }

  /// Begins a round over all devices that takes their marks away; false when there is nothing to go round for.
  mutating func beginRound() -> Bool {
    guard !isEmpty else { return false }
    isEmpty = true
    return true
  }
}
