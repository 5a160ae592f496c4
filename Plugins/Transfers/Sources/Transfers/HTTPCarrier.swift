import StintFormats
public import StintModel
public import StintPluginKit
public import StintUnits

/// A carrier that downloads and uploads files over HTTP with libcurl.
///
/// The plugin runs in its own process for two reasons. It writes files, which would delay the loop of
/// the daemon. It reads answers of unknown servers.
public actor HTTPCarrier: TransferCarrier {
  /// The path of the device.
  public static let device: DeviceID = "net.http"

  /// The manifest of the device, embedded at build time.
  public static let embeddedManifest: Manifest = {
    do throws(Problem) {
      return try ManifestReader.manifest(
        of: PackageResources.manifest_json, source: "Plugins/Transfers/manifest.json")
    } catch {
      preconditionFailure("\(error)")
    }
  }()

  /// The manifest of the device.
  public nonisolated let manifest = HTTPCarrier.embeddedManifest
  private let settings: CarrierSettings
  private let clock: LinkedPlugin.Clock
  private let libraries: [String]
  private var engine: TransferEngine?

  /// Makes the carrier. It opens no file and no socket.
  ///
  /// - Parameters:
  ///   - entries: the settings of the site file.
  ///   - clock: the clock of the host.
  /// - Throws: `unsupported` for a setting that cannot be used.
  public init(_ entries: [PluginSettingEntry], clock: @escaping LinkedPlugin.Clock) throws(Problem) {
    self.init(try CarrierSettings(entries), clock: clock)
  }

  init(
    _ settings: CarrierSettings, libraries: [String] = CurlLibrary.names, clock: @escaping LinkedPlugin.Clock
  ) {
    self.settings = settings
    self.libraries = libraries
    self.clock = clock
  }

  /// Loads libcurl and checks the spool folder. Without libcurl, the device is unavailable and a fault names
  /// the package to install.
  ///
  /// - Throws: `unsupported` when the program has no event loop.
  public func open(_ port: DevicePort, at instant: Instant) throws(Problem) {
    guard let loop = port.loop else {
      throw Problem(.unsupported, device: Self.device, cause: "this program has no event loop for sockets")
    }
    do throws(Problem) { try CurlLibrary.load(libraries) } catch {
      port.report(.fault(error.description), at: instant)
      port.available(false, at: instant)
      return
    }
    let spool = Spool(folder: settings.spool)
    if let obstacle = spool.obstacle { port.report(.fault(obstacle.cause), at: instant) }
    spool.removeParts(olderThan: settings.partAge)
    engine = TransferEngine(settings, port: port, loop: loop, clock: clock)
  }

  /// Starts, continues or ends an attempt, or removes a file.
  public func handle(_ order: TransferOrder, at instant: Instant) {
    guard let engine else { return }
    engine.handle(order)
  }

  /// Does nothing: the device is a source, and a source has no settings.
  public func apply(_ setting: Setting, at instant: Instant) throws(Problem) {}

  /// Does nothing: the loop runs the timers.
  public func wake(at instant: Instant, horizon: Instant) {}

  /// Ends all attempts, keeps their parts and closes all connections.
  public func close(at instant: Instant) {
    engine?.close()
    engine = nil
  }
}
