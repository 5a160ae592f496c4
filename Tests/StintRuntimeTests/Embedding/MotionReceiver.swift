import Stint
import StintModel
import StintServices
import StintUnits

@testable import StintRuntime

/// An app's actor that runs on its own loop and receives motion samples.
actor MotionReceiver {
  private let loop: LoopExecutor
  private(set) var threads: Set<UInt64> = []
  private(set) var samples: [Sample] = []
  /// The number of times that a handler started before the previous handler had ended.
  private(set) var overlaps = 0
  private var isInside = false

  init(loop: LoopExecutor) { self.loop = loop }

  nonisolated var unownedExecutor: UnownedSerialExecutor { loop.serial.asUnownedSerialExecutor() }

  /// Reads notices until `count` samples have arrived.
  func listen(_ notices: Notices, until count: Int) async {
    for await notice in notices {
      guard case .samples(let samples, _)? = notice as? MotionNotice else { continue }
      await handle(samples)
      if self.samples.count >= count { return }
    }
  }

  /// Records the samples. The call yields in the middle, so that another handler could start.
  private func handle(_ new: [Sample]) async {
    if isInside { overlaps += 1 }
    isInside = true
    threads.insert(currentThread())
    samples += new
    await Task.yield()
    threads.insert(currentThread())
    isInside = false
  }
}
