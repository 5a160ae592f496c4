import CStintProcess
import StintModel

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Darwin)
  import Darwin
#endif

/// A plugin's process, and the descriptors by which the host hears of it. To be released once.
struct SpawnedChild: Sendable {
  /// What a process may have: enough for an interpreter, nothing for a fork bomb's memory.
  private static let memory: UInt64 = 1 << 30
  private static let descriptors: UInt64 = 64

  private static let processes: UInt64 = 64

  let process: Int32
  /// Readable once it has ended.
  let ending: Int32
  private(set) var channel: Int32
  private(set) var talk: Int32
  /// Readable when it waits for the answer to a refused call; -1 where the system does not tell.
  private(set) var attempts: Int32
  /// The means of containment that hold for it.
  let held: [ContainmentMeans]
  private let cgroup: PluginCgroup?

  /// Starts the program; the thread that calls must live as long as the process shall.
  ///
  /// - Parameters:
  ///   - files: all that it sees of its folder; the folder itself where there are none.
  ///   - ring: is handed to it with the three descriptors behind its channel.
  init(_ program: ChildProgram, _ files: [SealedFile], _ ring: ChildRing?) throws(ChildFailure) {
    var child = stint_child()
    var step: Int32 = 0
    let isLeftOut = program.access.without.contains(.cgroup)
    let cgroup = isLeftOut ? nil : PluginCgroup(memory: Self.memory * 5 / 4, processes: Self.processes)
    let number = ChildPlan.withPlan(of: program, files, cgroup: cgroup?.processes ?? -1) { plan in
      let passed = ring?.descriptors ?? (-1, -1, -1)
      plan.ring = passed
      plan.memory = Self.memory
      plan.descriptors = Self.descriptors
      plan.processes = Self.processes
      return stint_child_start(&plan, &child, &step)
    }
    guard number == 0 else {
      cgroup?.remove()
      throw Self.failure(number, step, program)
    }
    self.cgroup = cgroup
    process = child.pid
    ending = child.ending
    channel = child.channel
    talk = child.talk
    attempts = child.attempts
    held = ContainmentMeans.all(in: child.held)
  }

  /// The means that hold here for a process that asks for nothing; no program is run for it.
  static func probe() -> [ContainmentMeans] {
    #if os(Linux)
      let program = ChildProgram(
        name: "probe", manifest: Manifest(device: "stint.probe", kind: .source, title: ""), path: "",
        folder: "/usr")
      let cgroup = PluginCgroup(memory: memory, processes: processes)
      defer { cgroup?.remove() }
      var child = stint_child()
      var step: Int32 = 0
      _ = ChildPlan.withPlan(of: program, [], cgroup: cgroup?.processes ?? -1) { plan in
        plan.ring = (-1, -1, -1)
        plan.processes = processes
        return stint_child_start(&plan, &child, &step)
      }
      return ContainmentMeans.all(in: child.held)
    #else
      return []
    #endif
  }

  private static func failure(_ number: Int32, _ step: Int32, _ program: ChildProgram) -> ChildFailure {
    if step == stint_step_means {
      let missing = ContainmentMeans.all(in: UInt32(bitPattern: number)).map(\.rawValue)
      return ChildFailure(
        .start, "cannot be contained as it must be: this system lacks \(missing.joined(separator: ", "))"
      ).ruledOut
    }
    let reason = String(cString: strerror(number))
    guard number != ENOSYS || step == 2 else {
      return ChildFailure(.start, "cannot be started: this system has no plugins in processes of their own")
        .ruledOut
    }
    let places = [1: program.folder, 2: program.path, 3: "containment"]
    let failure = ChildFailure(
      .start,
      "cannot be started: \(places[Int(step)] ?? "fork"): \(reason)")
    // The program itself is at fault, and stays so.
    return step == 0 ? failure : failure.ruledOut
  }

  /// Ends it and all that it started.
  func kill() { stint_child_kill(process) }

  /// How it ended; nil while it has not.
  func reap() -> (status: Int32, signal: Int32)? {
    var status: Int32 = 0
    var signal: Int32 = 0
    return stint_child_reap(process, &status, &signal) == 1 ? (status, signal) : nil
  }

  /// Whether all of it was taken; a plugin that does not read lets its channel fill up.
  func send(_ bytes: [UInt8]) -> Bool {
    let sent = bytes.withUnsafeBytes { stint_child_send(channel, $0.baseAddress, UInt64($0.count)) }
    // When the reader is gone, the end of the process gives the reason.
    return sent == Int64(bytes.count) || sent == -Int64(EPIPE)
  }

  /// What there is to read; empty at the end, nil when there is nothing now.
  static func receive(from descriptor: Int32, into buffer: inout [UInt8]) -> ArraySlice<UInt8>? {
    while true {
      let count = read(descriptor, &buffer, buffer.count)
      if count > 0 { return buffer[..<count] }
      if count == 0 { return [] }
      if errno == EINTR { continue }
      return errno == EAGAIN || errno == EWOULDBLOCK ? nil : []
    }
  }

  mutating func closeChannel() { Self.close(&channel) }
  mutating func closeOutput() { Self.close(&talk) }
  mutating func closeAttempts() { Self.close(&attempts) }

  /// The number of a system call that it was refused just now; nil when there is none.
  func nextAttempt() -> Int32? {
    var number: Int32 = 0
    return attempts >= 0 && stint_child_attempt(attempts, &number) == 1 ? number : nil
  }

  /// Gives every descriptor back; the process must have ended.
  mutating func release() {
    closeChannel()
    closeOutput()
    closeAttempts()
    cgroup?.remove()
    _ = Self.closeDescriptor(ending)
  }

  private static func close(_ descriptor: inout Int32) {
    if descriptor >= 0 { _ = closeDescriptor(descriptor) }
    descriptor = -1
  }

  private static func closeDescriptor(_ descriptor: Int32) -> Int32 {
    #if canImport(Glibc)
      Glibc.close(descriptor)
    #elseif canImport(Musl)
      Musl.close(descriptor)
    #else
      Darwin.close(descriptor)
    #endif
  }
}
