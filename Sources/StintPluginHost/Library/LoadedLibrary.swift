import CStintPlugin
import StintSystem

/// A shared library and the devices that it has made. The library's functions are called on the loop's thread
/// only. The library is never unloaded.
final class LoadedLibrary: @unchecked Sendable {
  private let frames: stint_frames
  private let device: UnsafeMutableRawPointer
  private let host: UnsafeMutablePointer<stint_host>
  /// The mailbox must remain alive because the library sends to it until the devices are destroyed.
  private let mailbox: LibraryMailbox

  /// Loads a library and makes its devices. The devices send their frames to the mailbox.
  init(_ path: String, speakingTo mailbox: LibraryMailbox) throws(ChildFailure) {
    guard let library = dlopen(path, RTLD_NOW | RTLD_LOCAL) else {
      let reason = dlerror().map { String(cString: $0) } ?? "unknown reason"
      throw ChildFailure(.start, "cannot be loaded: \(reason)")
    }
    guard let symbol = dlsym(library, "stint_plugin") else {
      throw ChildFailure(.start, "is not a plugin: \(path) does not export “stint_plugin”")
    }
    frames = try Self.frames(symbol, path)
    self.mailbox = mailbox
    host = .allocate(capacity: 1)
    host.initialize(
      to: stint_host(
        size: UInt32(MemoryLayout<stint_host>.size), reserved: 0,
        context: Unmanaged.passUnretained(mailbox).toOpaque(), say: Self.say))
    guard let device = frames.create(host) else {
      host.deallocate()
      throw ChildFailure(.start, "cannot make its device")
    }
    self.device = device
  }

  /// Loads a library on any thread, so that `init` finds it loaded. A failure occurs again in `init`.
  static func load(_ path: String) { _ = dlopen(path, RTLD_NOW | RTLD_LOCAL) }

  /// Passes a frame to the devices.
  func take(_ bytes: [UInt8]) {
    bytes.withUnsafeBytes { frames.take(device, $0.baseAddress, UInt64($0.count)) }
  }

  /// Destroys the devices. Must be called once, after all other calls.
  func destroy() {
    frames.destroy(device)
    host.deallocate()
  }

  /// Receives bytes from the library. The library may call this function on any thread.
  private static let say: @convention(c) (UnsafeMutableRawPointer?, UnsafeRawPointer?, UInt64) -> Void = {
    context, bytes, count in
    guard let context, let bytes, count > 0 else { return }
    let mailbox = Unmanaged<LibraryMailbox>.fromOpaque(context).takeUnretainedValue()
    mailbox.put(UnsafeRawBufferPointer(start: bytes, count: Int(clamping: count)))
  }

  /// Returns the functions of the library. Nothing is read beyond the sizes that the library declares.
  private static func frames(
    _ symbol: UnsafeMutableRawPointer, _ path: String
  ) throws(ChildFailure) -> stint_frames {
    let size = symbol.load(as: UInt32.self)
    guard size >= UInt32(MemoryLayout<stint_plugin_library>.size), size < 1 << 16 else {
      throw ChildFailure(.protocolViolation, "is not a plugin: \(path) declares a size of \(size) bytes")
    }
    let about = symbol.load(as: stint_plugin_library.self)
    guard about.major == UInt16(STINT_PROTOCOL_MAJOR) else {
      let age = about.major < UInt16(STINT_PROTOCOL_MAJOR) ? "older" : "newer"
      throw ChildFailure(
        .version,
        "uses protocol version \(about.major).\(about.minor), which is \(age) than "
          + "\(STINT_PROTOCOL_MAJOR).\(STINT_PROTOCOL_MINOR)"
      )
    }
    guard let findExtension = about.extension, let functions = findExtension(STINT_FRAMES) else {
      throw ChildFailure(.start, "is a plugin without the extension “\(STINT_FRAMES)”")
    }
    guard functions.load(as: UInt32.self) >= UInt32(MemoryLayout<stint_frames>.size) else {
      throw ChildFailure(.protocolViolation, "has an extension “\(STINT_FRAMES)” that is too short")
    }
    let frames = functions.load(as: stint_frames.self)
    guard frames.create != nil, frames.take != nil, frames.destroy != nil else {
      throw ChildFailure(
        .protocolViolation, "has an extension “\(STINT_FRAMES)” in which a function is missing")
    }
    return frames
  }
}
