/// What `stint` tells the shell.
public enum ExitCode: Int32, Hashable, Sendable {
  case fine = 0
  /// The command did its work and found something wrong.
  case findings = 1
  /// The command could not be understood, or what it names cannot be used.
  case misuse = 2
  /// No daemon answers.
  case unreachable = 3
  /// Ctrl-C, or another signal to end, came first; what there was is printed.
  case interrupted = 130
}
