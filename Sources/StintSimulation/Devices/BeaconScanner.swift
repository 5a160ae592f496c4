import StintFormats
public import StintModel
public import StintPluginKit
public import StintUnits

/// A Bluetooth scanner that listens during a short window in each period.
///
/// Each beacon has a fact that is true when the last scan received the beacon. A window contains one
/// advertisement of each beacon in range per `advertisement` interval of the manifest, and each advertisement
/// may be lost. A scan gives one sample for each received beacon: the index of the beacon in the scenario,
/// the signal strength in dBm, and the number of received advertisements.
public actor BeaconScanner: SensorPlugin {
  public nonisolated let manifest: Manifest
  private let beacons: [PlacedBeacon]
  private let noise: Noise
  private let dropout: DropoutFault
  private let off: Int
  private let scanning: Int
  private let shortestPeriod: TimeSpan
  private let advertisements: Int
  private let loss: Double
  private var view: any WorldView
  private var port: DevicePort?
  private var handles: [(path: String, handle: FactHandle)] = []
  private var published: [String: (isInRange: Bool, at: Instant)] = [:]
  private var setting = Setting.off
  private var log: SampleLog
  private var last: Instant?
  private var next: Instant?

  private static let meaning = "whether the last scan received the beacon"

  /// The time after which an unchanged fact is published again. It is shorter than the fact's maximum age.
  private static let refresh = TimeSpan.seconds(30)

  init(_ setup: DeviceSetup, beacons: [PlacedBeacon]) {
    manifest = Self.manifest(setup.manifest, beacons)
    self.beacons = beacons
    noise = setup.noise
    dropout = setup.dropout
    view = setup.view
    off = setup.state("off")
    scanning = setup.state("scanning")
    shortestPeriod = setup.span("shortest_period")
    let gap = max(setup.span("advertisement").nanoseconds, 1)
    advertisements = Int(setup.span("window").nanoseconds / gap)
    loss = setup.manifest.figures["loss"]?.value ?? 0
    log = SampleLog(setup.manifest)
  }

  /// Returns the manifest with a fact for each beacon of the world and for each group of beacons.
  private static func manifest(_ manifest: Manifest, _ beacons: [PlacedBeacon]) -> Manifest {
    var manifest = manifest
    for path in Set(beacons.flatMap(\.facts)).sorted() {
      manifest.facts.append(
        FactSchema(
          path: path, type: .boolean, maxAge: .minutes(6), fastest: .milliseconds(500),
          device: manifest.device, meaning: meaning))
    }
    return manifest
  }

  /// Returns the text of a manifest with the facts of the world's beacons.
  static func manifestText(_ text: String, _ beacons: [PlacedBeacon]) throws(Problem) -> String {
    let paths = Set(beacons.flatMap(\.facts)).sorted()
    guard !paths.isEmpty else { return text }
    let facts: [JSONValue] = paths.map { path in
      [
        "name": JSONValue(path), "boolean": true, "max_age": "6 min", "fastest": "500 ms",
        "meaning": JSONValue(meaning),
      ]
    }
    let manifest = try JSONReader.value(of: Array(text.utf8), source: "radio.ble.json")
    return JSONWriter.text(of: DevicePart("radio.ble", [("facts", JSONValue(facts))]).applied(to: manifest))
  }

  public func open(_ port: DevicePort, at instant: Instant) throws(Problem) {
    self.port = port
    handles = manifest.facts.map { ($0.path, port.handle($0.path)) }
  }

  public func apply(_ setting: Setting, at instant: Instant) throws(Problem) {
    let before = self.setting
    if before.isHolding && !setting.isHolding { drain(at: instant, reason: .ended) }
    self.setting = setting
    guard setting.isOn else {
      turnOff(at: instant)
      return
    }
    port?.report(.state(scanning, period: period), at: instant)
    if !before.isOn {
      next = max(instant, last.map { $0 + shortestPeriod } ?? instant)
    } else if let last, setting.period != before.period {
      next = max(instant, last + period)
    }
    if let next, next <= instant { scan(at: instant) }
    port?.setAlarm(at: next)
  }

  public func drain(at instant: Instant, reason: DeliveryReason) {
    log.deliver(to: port, at: instant, reason: reason)
  }

  public func wake(at instant: Instant, horizon: Instant) {
    guard let due = next, instant >= due else { return }
    scan(at: instant)
    port?.setAlarm(at: next)
  }

  public func close(at instant: Instant) { turnOff(at: instant) }

  private var period: TimeSpan { max(setting.period ?? .seconds(10), shortestPeriod) }

  private func turnOff(at instant: Instant) {
    drain(at: instant, reason: .ended)
    setting = .off
    next = nil
    published = [:]
    // The facts are unknown while the scanner does not listen.
    for (_, handle) in handles { port?.publish(handle, .unknown, at: instant) }
    port?.setAlarm(at: nil)
    port?.report(.state(off, period: nil), at: instant)
  }

  private func scan(at instant: Instant) {
    last = instant
    next = instant + period
    guard !dropout.isActive(at: instant) else { return }
    let here = view.state(at: instant).position
    var inRange: Set<String> = []
    for (number, beacon) in beacons.enumerated() {
      let distance = here.distance(to: beacon.place)
      guard distance <= beacon.range else { continue }
      let count = received(from: number, at: instant)
      guard count > 0 else { continue }
      inRange.formUnion(beacon.facts)
      let signal =
        RadioSignal.strength(metres: distance) + 2 * noise.gaussian(instant, salt: 64 + UInt64(number))
      log.append(at: instant, Double(number), signal, Double(count), 0)
      if setting.isHolding, log.isFull { drain(at: instant, reason: .full) }
    }
    for (path, handle) in handles { report(path, handle, inRange.contains(path), at: instant) }
    if !setting.isHolding { drain(at: instant, reason: .immediate) }
  }

  private func received(from beacon: Int, at instant: Instant) -> Int {
    (0..<advertisements).count { number in
      noise.uniform(instant, salt: UInt64(1024 + beacon * 64 + number)) >= loss
    }
  }

  private func report(_ path: String, _ handle: FactHandle, _ isInRange: Bool, at instant: Instant) {
    if let last = published[path], last.isInRange == isInRange, instant - last.at < Self.refresh { return }
    published[path] = (isInRange, instant)
    port?.publish(handle, .boolean(isInRange), at: instant)
  }
}

/// The signal strength of a beacon at a distance.
enum RadioSignal {
  /// The strength at a distance of one metre, in dBm.
  static let atOneMetre = -59.0

  /// Returns the strength in dBm in free air: 6 dB less for each doubling of the distance.
  static func strength(metres: Double) -> Double {
    atOneMetre - 20 * 0.301_029_995_663_981_2 * binaryLogarithm(max(metres, 0.1))
  }

  /// Returns the binary logarithm of a positive number; the error is below 0.01. The result is identical on
  /// every machine.
  static func binaryLogarithm(_ number: Double) -> Double {
    let share = number.significand - 1
    // Linear interpolation between two powers of 2, plus a quadratic correction.
    return Double(number.exponent) + share + 0.344_4 * share * (1 - share)
  }
}
