import StintModel
import StintServices
import StintUnits

extension TransferBench {
  /// When a task finished; nil when it did not.
  func finished(_ task: String) -> Double? {
    told.first { if case .finished(task, _) = $0.notice { true } else { false } }?.second
  }

  /// How and when a task failed; nil when it did not.
  func failed(_ task: String) -> (second: Double, fault: TransferFault)? {
    for entry in told {
      if case .failed(task, let fault) = entry.notice { return (entry.second, fault) }
    }
    return nil
  }

  /// When the attempts at a task began.
  func attempts(at task: String) -> [Double] {
    attempts.filter { $0.exchange.task == task }.map(\.second)
  }

  /// Tasks that finished, in the order in which the client heard of it.
  var finishedTasks: [String] {
    told.compactMap { if case .finished(let task, _) = $0.notice { task } else { nil } }
  }

  /// A download of so many bytes.
  static func download(_ bytes: Int64 = 20_000, window: TimeSpan? = nil) -> TransferRequest {
    TransferRequest(.download(from: "https://example.org/a"), bytesDown: bytes, window: window)
  }

  static func upload(_ bytes: Int64 = 20_000) -> TransferRequest {
    TransferRequest(.upload(file: "/out/a", to: "https://example.org/b"), bytesUp: bytes)
  }
}
