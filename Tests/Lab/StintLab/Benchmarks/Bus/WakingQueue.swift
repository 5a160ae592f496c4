import StintModel

/// A baseline: a queue through which a thread sends batches to a task. It is an array behind a lock; the task
/// suspends while the array is empty.
final class WakingQueue: Sendable {
  private struct Content {
    var batches: [Batch] = []
    var waiter: CheckedContinuation<Void, Never>?
    var isFinished = false
  }

  private let content = Locked(Content())

  func put(_ batch: Batch) {
    wake { $0.batches.append(batch) }
  }

  func finish() {
    wake { $0.isFinished = true }
  }

  private func wake(_ change: (inout Content) -> Void) {
    let waiter = content.withLock { content in
      change(&content)
      return content.waiter.take()
    }
    waiter?.resume()
  }

  /// Waits for batches and moves all of them into `batches`. Returns false at the end.
  func take(into batches: inout [Batch]) async -> Bool {
    while true {
      let isOver = content.withLock { content in
        swap(&batches, &content.batches)
        return content.isFinished
      }
      if !batches.isEmpty { return true }
      if isOver { return false }
      await withCheckedContinuation { continuation in
        let mustWait = content.withLock { content in
          guard content.batches.isEmpty, !content.isFinished else { return false }
          content.waiter = continuation
          return true
        }
        if !mustWait { continuation.resume() }
      }
    }
  }
}
