public import StintUnits

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Darwin)
  import Darwin
#endif

extension Problem {
  /// Why the system refused something that a program needs to run at all, such as `pipe`; 0 where it gave no number.
  public static func system(_ call: String, _ number: Int32) -> Problem {
    guard number != 0 else { return Problem(.unsupported, cause: "this system has no \(call)") }
    let remedy =
      number == EMFILE || number == ENFILE
      ? "raise the limit of open files (ulimit -n)" : "free memory, processes or files, then start again"
    return Problem(
      .refused, cause: "the system refused \(call): \(DescriptorCalls.reason(number))", remedy: remedy)
  }

  /// Why the last call failed.
  public static func lastCall(_ call: String) -> Problem { system(call, errno) }
}
