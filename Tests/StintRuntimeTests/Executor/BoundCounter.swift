@testable import StintRuntime

/// An actor that always runs on a loop.
actor BoundCounter {
  private let loop: LoopExecutor
  private(set) var threads: Set<UInt64> = []

  init(loop: LoopExecutor) { self.loop = loop }

  nonisolated var unownedExecutor: UnownedSerialExecutor { loop.serial.asUnownedSerialExecutor() }

  func note() { threads.insert(currentThread()) }
}
