import CStintProcess

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

  let process: Int32
  /// Readable once it has ended.
  let ending: Int32
  private(set) var channel: Int32
  private(set) var talk: Int32

  /// Starts the program; the thread that calls must live as long as the process shall.
  /// A ring is handed to it with the three descriptors behind its channel.
  init(_ program: ChildProgram, _ ring: ChildRing?) throws(ChildFailure) {
    let passed = ring?.descriptors ?? (-1, -1, -1)
    var child = stint_child()
    var step: Int32 = 0
    let number = Self.withCStrings([program.path] + program.arguments) { arguments in
      Self.withCStrings(["PATH=/usr/local/bin:/usr/bin:/bin", "LANG=C.UTF-8", "STINT_PLUGIN_CHANNEL=3"]) {
        environment in
        program.path.withCString { path in
          program.folder.withCString { folder in
            Self.withPaths(program) { readable, writable in
              var plan = stint_child_plan(
                path: path, arguments: arguments, environment: environment, folder: folder,
                memory: Self.memory, descriptors: Self.descriptors, readable: readable, writable: writable,
                network: program.access.hasNetwork ? 1 : 0, ring: passed,
                own_filter: program.access.hasOwnFilter ? 1 : 0)
              return stint_child_start(&plan, &child, &step)
            }
          }
        }
      }
    }
    guard number == 0 else { throw Self.failure(number, step, program) }
    process = child.pid
    ending = child.ending
    channel = child.channel
    talk = child.talk
  }

  private static func failure(_ number: Int32, _ step: Int32, _ program: ChildProgram) -> ChildFailure {
    let reason = String(cString: strerror(number))
    guard number != ENOSYS || step == 2 else {
      return ChildFailure(.start, "cannot be started: this system has no plugins in processes of their own")
        .ruledOut
    }
    let failure = ChildFailure(
      .start,
      "cannot be started: \(step == 2 ? program.path : step == 1 ? program.folder : "fork"): \(reason)")
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
    // Where nobody is left to read, the end of the process says more.
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
  mutating func closeTalk() { Self.close(&talk) }

  /// Gives every descriptor back; the process must have ended.
  mutating func release() {
    closeChannel()
    closeTalk()
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

  /// What the process may read, and what it may also write.
  private static func withPaths<Result>(
    _ program: ChildProgram,
    _ body: (UnsafePointer<UnsafePointer<CChar>?>, UnsafePointer<UnsafePointer<CChar>?>) -> Result
  ) -> Result {
    let readable = ChildAccess.everybodys + [program.folder] + program.access.readable
    let writable = ChildAccess.harmless + program.access.writable
    return withCStrings(readable) { readable in
      withCStrings(writable) { writable in
        body(
          UnsafeRawPointer(readable).assumingMemoryBound(to: UnsafePointer<CChar>?.self),
          UnsafeRawPointer(writable).assumingMemoryBound(to: UnsafePointer<CChar>?.self))
      }
    }
  }

  private static func withCStrings<Result>(
    _ texts: [String], _ body: (UnsafePointer<UnsafeMutablePointer<CChar>?>) -> Result
  ) -> Result {
    var pointers: [UnsafeMutablePointer<CChar>?] = texts.map { strdup($0) }
    pointers.append(nil)
    defer { for pointer in pointers { free(pointer) } }
    return pointers.withUnsafeBufferPointer { buffer in
      guard let address = buffer.baseAddress else { preconditionFailure("a list ends with a null pointer") }
      return body(address)
    }
  }
}
