import Stint
import StintModel
import StintServices
import StintUnits

@testable import StintRuntime

/// An app's object that lives on a loop of its own, and takes what its motion stream says.
actor MotionReceiver {
  private let loop: LoopExecutor
  private(set) var threads: Set<UInt64> = []
  private(set) var samples: [StintModel.Sample] = []
  /// How often a handler began before the one before it had ended.
  private(set) var overlaps = 0
  private var isInside = false

  init(loop: LoopExecutor) { self.loop = loop }

  nonisolated var unownedExecutor: UnownedSerialExecutor { loop.serial.asUnownedSerialExecutor() }

  /// Takes notices until there are so many samples.
  func listen(_ notices: Notices, until count: Int) async {
    for await notice in notices {
      guard case .samples(let samples)? = notice as? MotionNotice else { continue }
      await handle(samples)
      if self.samples.count >= count { return }
    }
  }

  /// Gives way in its midst, so that another could begin.
  private func handle(_ new: [StintModel.Sample]) async {
    if isInside { overlaps += 1 }
    isInside = true
    threads.insert(currentThread())
    samples += new
    await Task.yield()
    threads.insert(currentThread())
    isInside = false
  }
}
