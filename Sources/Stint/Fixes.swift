public import StintServices
public import StintUnits

extension Notices {
  /// The positions of a request for updates or for one fix, oldest first; all other notices are skipped.
  public var fixes: Fixes { Fixes(notices: self) }
}

/// The positions among the notices of a service, one after another, for one task.
///
/// The sequence ends with its service. It throws a `Problem` when the service failed. For example, its
/// permission was withdrawn, or the only requested fix did not arrive in time. The notices themselves also
/// report pauses and lost notices.
public struct Fixes: AsyncSequence, Sendable {
  /// An element is one position.
  public typealias Element = Fix
  /// The reason for the end of the service when it failed.
  public typealias Failure = Problem

  let notices: Notices

  /// An iterator over the positions.
  public struct AsyncIterator: AsyncIteratorProtocol {
    private let notices: Notices
    private var iterator: Notices.AsyncIterator
    /// The positions of the last notice that were not returned yet, newest first.
    private var rest: [Fix] = []

    init(_ notices: Notices) {
      self.notices = notices
      iterator = notices.makeAsyncIterator()
    }

    /// Returns the next position. Returns nil after the last position of an ended service and when the task
    /// is cancelled.
    ///
    /// - Throws: `Problem` with the code of the `ServiceFailure` that ended the service, or `hasReader`.
    public mutating func next() async throws(Problem) -> Fix? {
      try await next(isolation: #isolation)
    }

    /// Returns the next position on the caller's executor. Returns nil and throws as `next()` does.
    public mutating func next(
      isolation actor: isolated (any Actor)?
    ) async throws(Problem) -> Fix? {
      while rest.isEmpty {
        guard let notice = await iterator.next(isolation: actor) else {
          if case .failed(let failure)? = notices.end { throw Problem(failure) }
          return nil
        }
        switch notice {
        case LocationNotice.fixes(let fixes): rest = fixes.reversed()
        case LocationNotice.answer(let fix): return fix
        case LocationNotice.unanswered(let failure, _): throw Problem(failure)
        case let failure as ServiceFailure where failure.code == .hasReader: throw Problem(failure)
        default: break
        }
      }
      return rest.popLast()
    }
  }

  /// Returns an iterator over the positions. Use it only while no other task reads the notices.
  public func makeAsyncIterator() -> AsyncIterator { AsyncIterator(notices) }
}
