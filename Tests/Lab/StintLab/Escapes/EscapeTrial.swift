import CStintEscapes
import StintModel
import StintPluginHost

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Darwin)
  import Darwin
#endif

/// A test of the containment. A contained process runs a program that calls `attempt`, which tries to escape
/// in many ways, one after another.
struct EscapeTrial: Sendable {
  /// The result of an attempt.
  struct Outcome: Hashable, Sendable {
    let name: String
    /// The `errno` of the denial; 0 when the attempt succeeded.
    let number: Int32

    /// True when the attempt succeeded.
    var gotThrough: Bool { number == 0 }
    /// True when the call does not exist in this kernel or for this process (`ENOSYS`).
    var isAbsent: Bool { number == ENOSYS }
    /// The system's message for the `errno`.
    var reason: String { String(cString: strerror(number)) }
  }

  let run: ContainedRun
  /// The results in the order of the attempts.
  let outcomes: [Outcome]

  /// The number of attempts; 0 on systems other than Linux.
  static var count: Int { Int(stint_escape_count()) }

  /// Makes the attempts. The contained program calls this function. Returns the exit status for the program.
  static func attempt(on process: Int32, in folder: String) -> Int32 {
    Int32(stint_run_escapes(process, folder, ContainedRun.channel))
  }

  /// Starts the program, contained like a plugin without any access. Blocks until the program has made its
  /// attempts, normally for some seconds.
  ///
  /// - Parameters:
  ///   - path: the path of the program. The program must call `attempt` when it is started with `arguments`.
  ///   - contents: the contents of the program file.
  ///   - without: containment mechanisms to leave out, in order to test the other mechanisms alone.
  init(
    path: String, contents: [UInt8], arguments: [String], without: [ContainmentMechanism]
  ) throws(ChildFailure) {
    run = try ContainedRun(path: path, contents: contents, arguments: arguments, without: without)
    outcomes = Self.outcomes(run.output)
  }

  /// The reason why the trial is incomplete: the process ended too early or with an error. Nil when the
  /// process made all attempts and ended normally.
  var failure: String? {
    outcomes.count == Self.count && run.status == 0 && run.signal == 0
      ? nil
      : "the process ended with status \(run.status), signal \(run.signal) after \(outcomes.count) of "
        + "\(Self.count) attempts"
  }

  private static func outcomes(_ bytes: [UInt8]) -> [Outcome] {
    bytes.split(separator: 0x0A).compactMap { line in
      let parts = line.split(separator: 0x20, maxSplits: 1)
      guard parts.count == 2, let number = Int32(String(decoding: parts[0], as: UTF8.self)) else {
        return nil
      }
      return Outcome(name: String(decoding: parts[1], as: UTF8.self), number: number)
    }
  }
}
