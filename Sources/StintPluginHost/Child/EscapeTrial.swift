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

/// Attempts of a contained process to escape, made by a program of the caller that calls `attempt`.
public struct EscapeTrial: Sendable {
  /// How an attempt came out.
  public struct Outcome: Hashable, Sendable {
    /// What was attempted.
    public let name: String
    /// The number of the error with which it was refused; 0 where it got through.
    public let number: Int32

    /// Whether nothing refused it.
    public var gotThrough: Bool { number == 0 }
    /// Whether this kernel, or what the process sees of it, has no such call.
    public var isAbsent: Bool { number == ENOSYS }
    /// The error in words.
    public var reason: String { String(cString: strerror(number)) }
  }

  /// The means that held, and those that did not.
  public let held: [ContainmentMeans]
  public let missing: [ContainmentMeans]
  /// The attempts, in their order.
  public let outcomes: [Outcome]
  /// The refused system calls of which the host learnt, by name.
  public let calls: [CallAttempt]
  /// How the process ended, where it did not make every attempt.
  public let failure: String?

  /// How many attempts there are.
  public static var count: Int { Int(stint_escape_count()) }

  /// Makes the attempts; to be called by the contained program. Returns its exit status.
  public static func attempt(on process: Int32, in folder: String) -> Int32 {
    Int32(stint_run_escapes(process, folder))
  }

  /// Starts the program contained as a plugin that asks for nothing, and waits until it has made its attempts.
  ///
  /// Blocks for some seconds at most.
  ///
  /// - Parameters:
  ///   - path: the program, with its contents; it calls `attempt` when it is started with the arguments.
  ///   - without: means that are left out, to see what the others hold alone.
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

  /// The longest that the attempts may take together, in milliseconds.
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
        // Each is made a few times at most.
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
