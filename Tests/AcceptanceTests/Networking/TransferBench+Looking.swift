import StintModel
import StintServices
import StintUnits

extension TransferBench {
  /// Returns the time at which a task finished; nil when the task did not finish.
  func finished(_ task: String) -> Double? {
    told.first { if case .finished(task, _) = $0.notice { true } else { false } }?.second
  }

  /// Returns the fault and the time of a task's failure; nil when the task did not fail.
  func failed(_ task: String) -> (second: Double, fault: TransferFault)? {
    for entry in told {
      if case .failed(task, let fault) = entry.notice { return (entry.second, fault) }
    }
    return nil
  }

  /// Returns the times at which the attempts at a task began.
  func attempts(at task: String) -> [Double] {
    attempts.filter { $0.exchange.task == task }.map(\.second)
  }

  /// The finished tasks, in the order of the client's notices.
  var finishedTasks: [String] {
    told.compactMap { if case .finished(let task, _) = $0.notice { task } else { nil } }
  }

  static func download(_ bytes: Int64 = 20_000, window: TimeSpan? = nil) -> TransferRequest {
    TransferRequest(.download(from: "https://example.org/a"), bytesDown: bytes, window: window?.duration)
  }

  static func upload(_ bytes: Int64 = 20_000) -> TransferRequest {
    TransferRequest(.upload(file: "/out/a", to: "https://example.org/b"), bytesUp: bytes)
  }
}
