import StintRuntime

/// A mechanism that delivers batches from a producer to its subscribers, within a process.
protocol BusMechanism: Sendable {
  /// The name in the table.
  static var name: String { get }

  /// Delivers a load once. Returns the sum of the sequence numbers of all samples that the subscribers read,
  /// for comparison with `BusLoad.checksum`.
  ///
  /// The producer and every subscriber run on the executor of the calling task.
  static func carry(_ load: BusLoad, on executor: LoopExecutor) async -> UInt64
}
