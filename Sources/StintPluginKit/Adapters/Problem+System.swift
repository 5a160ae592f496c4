import StintSystem
public import StintUnits

extension Problem {
  /// Returns the problem for a failed system call that the program needs, such as `pipe`.
  ///
  /// - Parameters:
  ///   - call: the name of the call.
  ///   - number: the `errno`; 0 when the system does not have the call.
  public static func system(_ call: String, _ number: Int32) -> Problem {
    guard number != 0 else { return Problem(.unsupported, cause: "this system has no \(call)") }
    let remedy =
      number == EMFILE || number == ENFILE
      ? "raise the limit of open files (ulimit -n)" : "free memory, processes or files, then start again"
    return Problem(
      .refused, cause: "the system refused \(call): \(DescriptorCalls.reason(number))", remedy: remedy)
  }

  /// Returns the problem for the system call that failed last, from `errno`.
  public static func lastCall(_ call: String) -> Problem { system(call, errno) }
}
