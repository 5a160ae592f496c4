/// The exit code of a command.
public enum ExitCode: Int32, Hashable, Sendable {
  case fine = 0
  /// The command found problems, also in the content of an input, such as invalid JSON. The code also reports
  /// that a journal is incomplete or that the last state of a daemon is not saved.
  case findings = 1
  /// The command line is invalid, or one of its inputs cannot be read. The code also reports that a part of
  /// the output was not written.
  case misuse = 2
  /// No daemon answers.
  case unreachable = 3
  /// A signal such as Ctrl-C ended the command; the partial result is printed.
  case interrupted = 130
}
