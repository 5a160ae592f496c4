import StintModel
import StintUnits

@testable import StintPluginKit

#if canImport(Glibc)
  import Glibc
#elseif canImport(Darwin)
  import Darwin
#endif

/// Simulates a plugin's process with a thread. The test uses the host's end of the channel.
final class ServedPlugin {
  /// The input of the thread, and its result.
  private final class Work: Sendable {
    let manifests: [Manifest]
    let channel: Int32
    let ring: RingDescriptors
    let make: PluginServer.Make
    let code = Locked<Int32?>(nil)

    init(
      _ manifests: [Manifest], _ channel: Int32, _ ring: RingDescriptors, _ make: @escaping PluginServer.Make
    ) {
      self.manifests = manifests
      self.channel = channel
      self.ring = ring
      self.make = make
    }
  }

  private let work: Work
  private let channel: Int32
  private let thread: pthread_t
  private var reader = FrameReader()
  private var sequence: UInt64 = 0
  private var buffer = [UInt8](repeating: 0, count: 65_536)

  convenience init(
    _ manifest: Manifest, ring: SharedRing? = nil,
    make: @escaping @Sendable ([PluginSettingEntry]) throws(Problem) -> any DevicePlugin
  ) {
    self.init([manifest], ring: ring) { settings, _ throws(Problem) in [try make(settings)] }
  }

  /// Starts a process with several devices.
  init(_ manifests: [Manifest], ring: SharedRing? = nil, make: @escaping PluginServer.Make) {
    var ends: [Int32] = [0, 0]
    #if canImport(Glibc)
      let kind = Int32(SOCK_STREAM.rawValue)
    #else
      let kind = SOCK_STREAM
    #endif
    precondition(socketpair(AF_UNIX, kind, 0, &ends) == 0, "socketpair failed")
    channel = ends[0]
    // A missing answer fails the test instead of blocking it.
    var timeout = timeval(tv_sec: 30, tv_usec: 0)
    setsockopt(channel, SOL_SOCKET, SO_RCVTIMEO, &timeout, socklen_t(MemoryLayout<timeval>.size))
    let descriptors = ring.map { ring in
      let (memory, event, room) = ring.writersDescriptors
      return RingDescriptors(memory: dup(memory), event: dup(event), room: dup(room))
    }
    work = Work(manifests, ends[1], descriptors ?? RingDescriptors(memory: -1, event: -1, room: -1), make)
    thread = Self.start(work)
  }

  private static func start(_ work: Work) -> pthread_t {
    var thread = pthread_t()
    let box = Unmanaged.passRetained(work).toOpaque()
    let number = pthread_create(&thread, nil, { ServedPlugin.serve($0) }, box)
    precondition(number == 0, "pthread_create failed")
    return thread
  }

  private static func serve(_ argument: UnsafeMutableRawPointer?) -> UnsafeMutableRawPointer? {
    guard let argument else { return nil }
    let work = Unmanaged<Work>.fromOpaque(argument).takeRetainedValue()
    let code = PluginProcess.serve(
      work.manifests, channel: work.channel, ring: work.ring, make: work.make)
    work.code.withLock { $0 = code }
    close(work.channel)
    return nil
  }

  /// Sends a frame, with the address of a device when `device` is not nil.
  func send(_ frame: HostFrame, for device: Int? = nil) {
    let plain = frame.frame(sequence)
    send((device.map { plain.addressed(to: $0, kind: FrameLayout.hostAddressKind) } ?? plain).bytes)
    sequence += 1
  }

  func send(_ bytes: [UInt8]) { _ = bytes.withUnsafeBytes { write(channel, $0.baseAddress, $0.count) } }

  /// Returns the next frame; nil at the end of the channel, or after 30 seconds without data.
  func receive() throws -> PluginFrame? { try receiveFrame().map { try PluginFrame($0) } }

  /// Returns the next frame with its device, which is nil for a frame about the whole process.
  func receiveAddressed() throws -> (device: Int?, frame: PluginFrame)? {
    guard let frame = try receiveFrame() else { return nil }
    let (device, inner) = try frame.resolved(FrameLayout.pluginAddressKind)
    return (device, try PluginFrame(inner))
  }

  private func receiveFrame() throws -> Frame? {
    while true {
      if let frame = try reader.next() { return frame }
      if reader.isAhead {
        reader.skip()
        continue
      }
      let count = read(channel, &buffer, buffer.count)
      guard count > 0 else { return nil }
      reader.append(buffer[..<count])
    }
  }

  /// Returns all frames up to the first frame with this name, including that frame. Returns fewer frames only
  /// when the channel ends earlier or has no data for 30 s.
  func receive(until name: String) throws -> [PluginFrame] {
    try receiveFrames(until: name).map { try PluginFrame($0) }
  }

  /// Returns the undecoded frames of the channel up to the first frame with this name, including that frame.
  /// Returns fewer frames only when the channel ends earlier or has no data for 30 s. Frames of the ring are
  /// not included.
  func receiveFrames(until name: String) throws -> [Frame] {
    reader.isShared = true
    var frames: [Frame] = []
    while true {
      guard let frame = try receiveFrame() else {
        return frames
      }
      frames.append(frame)
      if try PluginFrame(frame).name == name { return frames }
    }
  }

  /// Closes the host's end of the channel, waits for the thread, and returns the exit code
  /// of `PluginProcess.serve`.
  func end() -> Int32? {
    shutdown(channel, Int32(SHUT_WR))
    pthread_join(thread, nil)
    close(channel)
    return work.code.withLock { $0 }
  }
}
