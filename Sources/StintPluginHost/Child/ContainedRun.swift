public import StintModel
import StintSystem
import StintUnits

/// One run of a program with the containment of a plugin that has no permissions. Tests of the containment
/// use it.
public struct ContainedRun: Sendable {
  /// The descriptor to which the program writes its output.
  public static let channel: Int32 = 3

  /// The containment mechanisms that were active.
  public let held: [ContainmentMechanism]
  /// The containment mechanisms that were not active.
  public let missing: [ContainmentMechanism]
  /// The denied system calls that the kernel reported to the host, by name.
  public let calls: [CallAttempt]
  /// The bytes that the program wrote to the channel.
  public let output: [UInt8]
  /// The exit status of the program, and the number of the signal that ended the program; 0 without a signal.
  public let status: Int32, signal: Int32

  /// Runs the program and waits for its end. Blocks.
  ///
  /// - Parameters:
  ///   - path: the path of the program.
  ///   - contents: the contents of the program file.
  ///   - without: mechanisms that are not used, so that a test checks the remaining mechanisms alone.
  ///   - timeout: the program is killed when it causes no output and no denied call for this time,
  ///     in milliseconds.
  /// - Throws: the failure of the start, for example when the system cannot contain processes.
  package init(
    path: String, contents: [UInt8], arguments: [String], without: [ContainmentMechanism],
    timeout: Int32 = 60_000
  ) throws(ChildFailure) {
    let file = try SealedFile(path: path, bytes: contents, isProgram: true)
    var program = ChildProgram(
      name: "contained", manifest: Manifest(device: "stint.contained", kind: .source, title: ""), path: path,
      arguments: arguments, folder: file.folder)
    program.access.without = without
    var child = try SpawnedChild(program, [file], nil)
    defer { child.release() }
    held = child.held
    missing = program.access.mechanisms.filter { !child.held.contains($0) }
    var attempts = CallAttempts()
    var bytes: [UInt8] = []
    (status, signal) = Self.wait(for: child, &bytes, &attempts, timeout)
    output = bytes
    calls = attempts.list
  }

  private static func wait(
    for child: SpawnedChild, _ bytes: inout [UInt8], _ attempts: inout CallAttempts, _ timeout: Int32
  ) -> (status: Int32, signal: Int32) {
    var buffer = [UInt8](repeating: 0, count: 64 << 10)
    var entries = [child.channel, child.attempts, child.ending].map {
      pollfd(fd: $0, events: Int16(POLLIN), revents: 0)
    }
    while true {
      if poll(&entries, nfds_t(entries.count), timeout) <= 0 { child.kill() }
      while let number = child.nextAttempt() {
        // `note` throws when the program makes too many denied calls. Such a program is killed.
        do throws(ChildFailure) { try attempts.note(number, at: .epoch) } catch { child.kill() }
      }
      while let part = SpawnedChild.receive(from: child.channel, into: &buffer), !part.isEmpty {
        bytes += part
      }
      guard entries[2].revents != 0, let end = child.reap() else { continue }
      return end
    }
  }
}
