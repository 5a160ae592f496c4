/// Names a suspended task within one channel; never reused.
struct WaiterID: Hashable, Sendable {
  let number: UInt64
}
