import StintRuntime

/// One way to bring batches from a producer to its subscribers, within a process.
protocol BusCarrier: Sendable {
  /// As a row of the table.
  static var name: String { get }

  /// Carries a load once; what all subscribers added up.
  ///
  /// Runs on the executor of the calling task, with the producer and every subscriber on it.
  static func carry(_ load: BusLoad, on executor: LoopExecutor) async -> UInt64
}
