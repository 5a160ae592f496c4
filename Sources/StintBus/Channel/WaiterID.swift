/// Identifies a suspended task within one channel. Ids are not reused.
struct WaiterID: Hashable, Sendable {
  let number: UInt64
}
