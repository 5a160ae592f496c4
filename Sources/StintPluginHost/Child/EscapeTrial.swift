import CStintProcess
public import StintModel
import StintUnits

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Darwin)
  import Darwin
#endif

/// A test of the containment. A contained process runs a program that calls `attempt`, which tries to escape
/// in many ways, one after another.
public struct EscapeTrial: Sendable {
  /// The result of an attempt.
  public struct Outcome: Hashable, Sendable {
    /// The name of the attempt.
    public let name: String
    /// The `errno` of the denial; 0 when the attempt succeeded.
    public let number: Int32

    /// True when the attempt succeeded.
    public var gotThrough: Bool { number == 0 }
    /// True when the call does not exist in this kernel or for this process (`ENOSYS`).
    public var isAbsent: Bool { number == ENOSYS }
    /// The system's message for the `errno`.
    public var reason: String { String(cString: strerror(number)) }
  }

  /// The means of containment that were active.
  public let held: [ContainmentMeans]
  /// The means of containment that were not active.
  public let missing: [ContainmentMeans]
  /// The results in the order of the attempts.
  public let outcomes: [Outcome]
  /// The denied system calls that the kernel reported to the host, by name.
  public let calls: [CallAttempt]
  /// The reason why the trial is incomplete: the process ended too early or with an error. Nil when the
  /// process made all attempts and ended normally.
  public let failure: String?

  /// The number of attempts.
  public static var count: Int { Int(stint_escape_count()) }

  /// Makes the attempts. The contained program calls this function. Returns the exit status for the program.
  public static func attempt(on process: Int32, in folder: String) -> Int32 {
    Int32(stint_run_escapes(process, folder))
  }

  /// Starts the program, contained like a plugin without any access. Waits until the program has made its
  /// attempts.
  ///
  /// Blocks normally for some seconds. After a minute without any event, the process is killed.
  ///
  /// - Parameters:
  ///   - path: the path of the program. The program must call `attempt` when it is started with `arguments`.
  ///   - contents: the contents of the program file.
  ///   - without: means to leave out, which tests the remaining means alone.
  public init(
    path: String, contents: [UInt8], arguments: [String], without: [ContainmentMeans]
  ) throws(ChildFailure) {
    let file = SealedFile(path: path, bytes: contents, isProgram: true)
    var program = ChildProgram(
      name: "escapes", manifest: Manifest(device: "stint.escapes", kind: .source, title: ""), path: path,
      arguments: arguments, folder: file.folder)
    program.access.without = without
    var child = try SpawnedChild(program, [file], nil)
    var attempts = CallAttempts()
    var bytes: [UInt8] = []
    let end = Self.wait(for: child, &bytes, &attempts)
    held = child.held
    missing = program.access.means.filter { !child.held.contains($0) }
    child.release()
    outcomes = Self.outcomes(bytes)
    calls = attempts.list
    failure =
      outcomes.count == Self.count && end.status == 0 && end.signal == 0
      ? nil
      : "it ended with status \(end.status), signal \(end.signal) after \(outcomes.count) of \(Self.count) attempts"
  }

  /// The longest time without an event of the process, in milliseconds.
  private static let longest: Int32 = 60_000

  private static func wait(
    for child: SpawnedChild, _ bytes: inout [UInt8], _ attempts: inout CallAttempts
  ) -> (status: Int32, signal: Int32) {
    var buffer = [UInt8](repeating: 0, count: 64 << 10)
    var places = [child.channel, child.attempts, child.ending].map {
      pollfd(fd: $0, events: Int16(POLLIN), revents: 0)
    }
    while true {
      if poll(&places, nfds_t(places.count), longest) <= 0 { child.kill() }
      while let number = child.nextAttempt() {
        // Each kind of attempt is made only a few times, so a flood means that the program does not work as
        // intended.
        do throws(ChildFailure) { try attempts.note(number, at: .epoch) } catch { child.kill() }
      }
      while let part = SpawnedChild.receive(from: child.channel, into: &buffer), !part.isEmpty {
        bytes += part
      }
      guard places[2].revents != 0, let end = child.reap() else { continue }
      return end
    }
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
