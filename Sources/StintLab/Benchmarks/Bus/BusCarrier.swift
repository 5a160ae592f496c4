import StintRuntime

/// A mechanism that delivers batches from a producer to its subscribers, within a process.
protocol BusCarrier: Sendable {
  /// The name in the table.
  static var name: String { get }

  /// Delivers a load once. Returns the sum over all subscribers.
  ///
  /// Runs on the executor of the calling task, with the producer and every subscriber on it.
  static func carry(_ load: BusLoad, on executor: LoopExecutor) async -> UInt64
}
