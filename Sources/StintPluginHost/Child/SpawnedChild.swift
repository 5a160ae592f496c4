import CStintProcess
import StintModel
import StintSystem

/// A plugin's process with the descriptors through which the host communicates with it. Call `release()`
/// exactly once.
struct SpawnedChild: Sendable {
  /// The memory limit of a process in bytes: enough for an interpreter.
  private static let memoryLimit: UInt64 = 1 << 30
  private static let descriptorLimit: UInt64 = 64
  /// The maximum number of processes and threads.
  private static let processLimit: UInt64 = 64

  let process: Int32
  /// The descriptor that is readable once the process has ended.
  let ending: Int32
  private(set) var channel: Int32
  /// The descriptor from which the host reads the output of the process.
  private(set) var output: Int32
  /// The descriptor that is readable when the process waits for the answer to a denied call. It is -1 when
  /// the system does not report such calls.
  private(set) var attempts: Int32
  /// The active containment mechanisms.
  let held: [ContainmentMechanism]
  private let cgroup: PluginCgroup?
  /// True when the thread that has started the process waits for its end and removes its cgroup.
  private var hasThread = false

  /// Starts the program. The system kills the process when the calling thread ends.
  ///
  /// - Parameters:
  ///   - files: the files of the program's folder that the process can access. When empty, the process can
  ///     access the folder itself.
  ///   - ring: the ring whose three descriptors the process inherits after its channel.
  init(_ program: ChildProgram, _ files: [SealedFile], _ ring: ChildRing?) throws(ChildFailure) {
    var child = stint_child()
    var step: Int32 = 0
    let isLeftOut = program.access.without.contains(.cgroup)
    let cgroup =
      isLeftOut ? nil : PluginCgroup(memory: Self.memoryLimit * 5 / 4, processes: Self.processLimit)
    let number = ChildPlan.withPlan(of: program, files, cgroup: cgroup?.processes ?? -1) { plan in
      let ringDescriptors = ring?.descriptors ?? (-1, -1, -1)
      plan.ring = ringDescriptors
      plan.memory = Self.memoryLimit
      plan.descriptors = Self.descriptorLimit
      plan.processes = Self.processLimit
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
    output = child.talk
    attempts = child.attempts
    held = ContainmentMechanism.all(in: child.held)
  }

  /// Returns the containment mechanisms that are available for a process without any access. Runs no program.
  static func probe() -> [ContainmentMechanism] {
    #if os(Linux)
      let program = ChildProgram(
        name: "probe", manifest: Manifest(device: "stint.probe", kind: .source, title: ""), path: "",
        folder: "/usr")
      let cgroup = PluginCgroup(memory: memoryLimit, processes: processLimit)
      defer { cgroup?.remove() }
      var child = stint_child()
      var step: Int32 = 0
      _ = ChildPlan.withPlan(of: program, [], cgroup: cgroup?.processes ?? -1) { plan in
        plan.ring = (-1, -1, -1)
        plan.processes = processLimit
        return stint_child_start(&plan, &child, &step)
      }
      return ContainmentMechanism.all(in: child.held)
    #else
      return []
    #endif
  }

  private static func failure(_ number: Int32, _ step: Int32, _ program: ChildProgram) -> ChildFailure {
    if step == stint_step_means {
      let missing = ContainmentMechanism.all(in: UInt32(bitPattern: number)).map(\.rawValue)
      return ChildFailure(
        .start, "cannot be contained as required: this system lacks \(missing.joined(separator: ", "))"
      ).permanent
    }
    let reason = String(cString: strerror(number))
    guard number != ENOSYS || step == 2 else {
      return ChildFailure(
        .start, "cannot be started: this system does not support plugins in separate processes"
      ).permanent
    }
    let places = [1: program.folder, 2: program.path, 3: "containment"]
    let failure = ChildFailure(
      .start,
      "cannot be started: \(places[Int(step)] ?? "fork"): \(reason)")
    // A failure in step 0, before the process exists, can be temporary. The cause of a later failure is the
    // program, its folder or the containment, so a restart would fail again.
    return step == 0 ? failure : failure.permanent
  }

  /// Kills the process and all processes that it started.
  func kill() { stint_child_kill(process) }

  /// Returns the exit status and the signal of the ended process; nil while the process runs.
  func reap() -> (status: Int32, signal: Int32)? {
    var status: Int32 = 0
    var signal: Int32 = 0
    return stint_child_reap(process, &status, &signal) == 1 ? (status, signal) : nil
  }

  /// Sends bytes. Returns false when the channel has no space for all bytes, which means that the plugin does
  /// not read.
  func send(_ bytes: [UInt8]) -> Bool {
    let sent = bytes.withUnsafeBytes { stint_child_send(channel, $0.baseAddress, UInt64($0.count)) }
    // EPIPE means that the process has closed its channel and is about to end. `reap` then reports
    // the reason.
    return sent == Int64(bytes.count) || sent == -Int64(EPIPE)
  }

  /// Reads the available bytes. Returns an empty slice at the end of the stream or after an error; nil when
  /// no data is available yet.
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
  mutating func closeOutput() { Self.close(&output) }
  mutating func closeAttempts() { Self.close(&attempts) }

  /// Returns the number of the next denied system call; nil when no call waits.
  func nextAttempt() -> Int32? {
    var number: Int32 = 0
    return attempts >= 0 && stint_child_attempt(attempts, Self.processLimit, &number) == 1 ? number : nil
  }

  /// Closes every descriptor, and removes the cgroup unless a thread waits for the end. The process must
  /// have ended.
  mutating func release() {
    closeChannel()
    closeOutput()
    closeAttempts()
    if !hasThread { cgroup?.remove() }
    _ = Self.closeDescriptor(ending)
  }

  /// Returns a closure that blocks until the process has ended and then removes its cgroup. The closure must
  /// be called once, on the thread that has started the process.
  mutating func endWait() -> () -> Void {
    hasThread = true
    let copy = fcntl(ending, F_DUPFD_CLOEXEC, 0)
    return { [cgroup] in
      var entry = pollfd(fd: copy, events: Int16(POLLIN), revents: 0)
      while copy >= 0, poll(&entry, 1, -1) < 0, errno == EINTR {}
      _ = Self.closeDescriptor(copy)
      cgroup?.remove()
    }
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
