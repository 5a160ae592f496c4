import StintDaemon
import StintModel
import StintRuntime
import StintServices
import StintUnits

/// The clock of a bus, with the registrations of the tasks that read the streams of the bus. Virtual time
/// waits for these tasks.
struct BusTime: Sendable {
  private let time: RunTime
  private let numbers = ReaderNumbers()

  init(_ time: RunTime) { self.time = time }

  var now: Instant { time.now }

  /// Ends the run of the host.
  func stop() { time.stop() }

  /// Advances virtual time. Throws `invalid` for the clock of the system and for a span out of range.
  func advance(by span: Duration) async throws(Problem) {
    guard let virtual = time.virtual else {
      throw Problem(
        .invalid, cause: "this bus follows the system's clock", remedy: "open it with “clock: .virtual”")
    }
    if let reason = InputBounds.rejectionReason(for: span, "the span", .delay) {
      throw Problem(.invalid, cause: reason)
    }
    guard now + span.timeSpan <= InputBounds.lastInstant else {
      throw Problem(
        .invalid, cause: "virtual time ends in the year 2170", remedy: "start the clock earlier")
    }
    await virtual.advance(by: span.timeSpan)
  }

  // MARK: Readers

  /// Returns the registration of a new reader. `isWaiting` returns whether the reader waits for an element
  /// now. `onLeave` gets the number of the reader when the reader leaves or its stream ends.
  func reader(
    isWaiting: @escaping @Sendable () -> Bool, onLeave: @escaping @Sendable (UInt64) -> Void
  ) -> ReaderRegistration {
    ReaderRegistration(numbers.next(), time.virtual, isWaiting: isWaiting, onLeave: onLeave)
  }

  /// Reports that a reader has begun to wait.
  func readerWaits() { time.virtual?.reconsider() }
}

/// Numbers the readers of a bus.
private final class ReaderNumbers: Sendable {
  private let last = Locked(UInt64(0))

  func next() -> UInt64 {
    last.withLock { last in
      last += 1
      return last
    }
  }
}

/// The registration of one reader of a stream. It exists while the reader's iterator exists.
final class ReaderRegistration: Sendable {
  /// The number of the reader, unique within its bus.
  let number: UInt64
  private let virtual: VirtualClock?
  private let isWaiting: @Sendable () -> Bool
  private let onLeave: @Sendable (UInt64) -> Void

  fileprivate init(
    _ number: UInt64, _ virtual: VirtualClock?, isWaiting: @escaping @Sendable () -> Bool,
    onLeave: @escaping @Sendable (UInt64) -> Void
  ) {
    self.number = number
    self.virtual = virtual
    self.isWaiting = isWaiting
    self.onLeave = onLeave
  }

  /// Records that the reader asks for its next element.
  func beginReading() { virtual?.beginReading(number, isWaiting: isWaiting) }

  /// Records that the reader has left its loop or that its stream has ended.
  func endReading() {
    virtual?.endReading(number)
    onLeave(number)
  }

  deinit { endReading() }
}

/// The registration of the reader that the closure of `withDemand` or `withService` is expected to start. The
/// first iterator takes this registration.
///
/// Virtual time waits for this reader from the start of the closure, so the reader misses no element.
final class ExpectedReaderRegistration: Sendable {
  private let mark: Locked<ReaderRegistration?>

  init(_ mark: ReaderRegistration) {
    mark.beginReading()
    self.mark = Locked(mark)
  }

  /// Returns the registration for the first iterator; nil for later iterators.
  func take() -> ReaderRegistration? {
    mark.withLock { mark in
      defer { mark = nil }
      return mark
    }
  }
}
