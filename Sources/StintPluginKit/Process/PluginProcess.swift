public import StintModel
import StintSystem
public import StintUnits

/// The entry point of a plugin that is a separate program. The program drives one device or several devices,
/// and communicates with Stint through an inherited channel.
///
/// The complete `main` of such a program, with the manifest embedded in the code:
/// ```swift
/// exit(
///   PluginProcess.serve(manifestText: PackageResources.manifest_json) { settings in Thermometer(settings) })
/// ```
public enum PluginProcess {
  /// Serves until Stint closes the device, and returns the program's exit code. Errors go to standard error;
  /// Stint reports the last line.
  ///
  /// Everything, including the plugin's actor, runs on the calling thread. The process sleeps until the next
  /// alarm or frame. Call this function once, from the main thread, before starting any task.
  ///
  /// - Parameters:
  ///   - manifest: the manifest of the device.
  ///   - channel: the descriptor of the channel; by default the descriptor that Stint passes.
  ///   - make: makes the device from the settings of the site file. It must not switch anything on.
  public static func serve(
    _ manifest: Manifest, channel: Int32? = nil,
    make: @escaping @Sendable ([PluginSettingEntry]) throws(Problem) -> any DevicePlugin
  ) -> Int32 {
    serve([manifest], channel: channel, ring: .inherited) { settings, _ throws(Problem) in
      [try make(settings)]
    }
  }

  /// Serves as `serve(_:channel:make:)` does, for a device that reports on its own, such as a device that
  /// watches descriptors with `DevicePort.loop`.
  ///
  /// - Parameters:
  ///   - manifest: the manifest of the device.
  ///   - channel: the descriptor of the channel; by default the descriptor that Stint passes.
  ///   - make: makes the device from the settings of the site file and the clock of the host. It must not
  ///     switch anything on.
  public static func serve(
    _ manifest: Manifest, channel: Int32? = nil,
    make:
      @escaping @Sendable ([PluginSettingEntry], @escaping LinkedPlugin.Clock) throws(Problem)
      -> any DevicePlugin
  ) -> Int32 {
    serve([manifest], channel: channel, ring: .inherited) { settings, clock throws(Problem) in
      [try make(settings, clock)]
    }
  }

  /// Serves several devices, such as those of one chip, as `serve(_:channel:make:)` does for one device.
  ///
  /// - Parameters:
  ///   - manifests: the manifests in the order of `manifests` in the plugin's descriptor.
  ///   - channel: the descriptor of the channel; by default the descriptor that Stint passes.
  ///   - make: makes the devices in the order of their manifests, from the settings of the site file. It must
  ///     not switch anything on.
  public static func serve(
    _ manifests: [Manifest], channel: Int32? = nil,
    make: @escaping @Sendable ([PluginSettingEntry]) throws(Problem) -> [any DevicePlugin]
  ) -> Int32 {
    serve(manifests, channel: channel, ring: .inherited) { settings, _ throws(Problem) in try make(settings) }
  }

  static func serve(
    _ manifests: [Manifest], channel: Int32?, ring: RingDescriptors, make: @escaping PluginServer.Make
  ) -> Int32 {
    guard (1...FrameLayout.maxDevices).contains(manifests.count) else {
      return fail("a plugin has at least one device and at most \(FrameLayout.maxDevices)")
    }
    guard let executor = ProcessExecutor() else { return fail("no descriptors are left") }
    let descriptor = channel ?? Self.channel
    let ports = manifests.map { DevicePort(manifest: $0, checksRanges: false) { executor.note() } }
    var devices: [ProcessDevice] = []
    do throws(FrameFault) {
      for (manifest, port) in zip(manifests, ports) {
        devices.append(try ProcessDevice(manifest, port: port))
      }
    } catch {
      return fail("the plugin \(error)")
    }
    let server = PluginServer(devices, ring: ring, make: make) { write($0, to: descriptor) }
    return ProcessLoop(descriptor, executor, ports, server).run()
  }

  private static var channel: Int32 {
    getenv("STINT_PLUGIN_CHANNEL").flatMap { Int32(String(cString: $0)) } ?? 3
  }

  /// Writes the sentence to standard error. Returns the exit code of a failure.
  static func fail(_ sentence: String) -> Int32 {
    write(Array("\(sentence)\n".utf8), to: STDERR_FILENO)
    return 1
  }

  /// Writes all bytes, unless the other side has closed the descriptor.
  static func write(_ bytes: [UInt8], to descriptor: Int32) {
    var rest = bytes[...]
    while !rest.isEmpty {
      let count = rest.withUnsafeBytes { send($0, to: descriptor) }
      if count < 0, errno == EINTR { continue }
      // The other side has closed the channel. The loop notices this when it reads from the channel.
      guard count >= 0 else { return }
      rest = rest.dropFirst(count)
    }
  }

  private static func send(_ bytes: UnsafeRawBufferPointer, to descriptor: Int32) -> Int {
    StintSystem.write(descriptor, bytes.baseAddress, bytes.count)
  }
}
