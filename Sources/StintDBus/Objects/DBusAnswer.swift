import StintModel
public import StintUnits

/// The answer to one call of an exported object. Only the first answer is sent.
///
/// When the object releases the `DBusAnswer` without an answer, the caller gets an error.
public final class DBusAnswer: Sendable {
  private let connection: Locked<DBusConnection?>
  private let number: UInt64

  init(_ connection: DBusConnection, _ number: UInt64) {
    self.connection = Locked(connection)
    self.number = number
  }

  deinit { fail(.refusal("NoReply", "the object gave no answer")) }

  /// Returns values to the caller. Values that cannot be sent become an error.
  public func succeed(_ values: [DBusValue] = []) {
    take()?.answer(number, .success(values))
  }

  /// Returns an error to the caller. The text of the error is the cause of the problem. The name of the error
  /// is the code of the problem when the code contains a dot, such as `org.example.Error.Cold`; otherwise the
  /// name is `org.freedesktop.DBus.Error.Failed`.
  public func fail(_ failure: Problem) {
    take()?.answer(number, .failure(failure))
  }

  private func take() -> DBusConnection? { connection.withLock { $0.take() } }
}
