import Stint

extension Bus {
  /// Advances virtual time in steps of a second until the task is cancelled or the bus is closed. Tests start
  /// this function with `async let`.
  func flow() async {
    while !Task.isCancelled {
      do { try await advance(by: .seconds(1)) } catch { return }
    }
  }
}
