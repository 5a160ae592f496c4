/// The exit code of a command.
public enum ExitCode: Int32, Hashable, Sendable {
  case fine = 0
  /// The command completed and found problems.
  case findings = 1
  /// The command line is invalid, or an input that it names cannot be used.
  case misuse = 2
  /// No daemon answers.
  case unreachable = 3
  /// A signal such as Ctrl-C ended the command; the partial result is printed.
  case interrupted = 130
}
