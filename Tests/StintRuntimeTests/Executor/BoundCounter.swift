@testable import StintRuntime

/// An actor that lives on a loop, whoever calls it.
actor BoundCounter {
  private let loop: LoopExecutor
  private(set) var threads: Set<UInt64> = []

  init(loop: LoopExecutor) { self.loop = loop }

  nonisolated var unownedExecutor: UnownedSerialExecutor { loop.serial.asUnownedSerialExecutor() }

  func note() { threads.insert(currentThread()) }
}
