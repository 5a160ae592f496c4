import Stint

/// A receiver of the app. It measures while the bus has switched it on, as often as the policies allow.
actor Receiver: SensorPlugin {
  nonisolated let manifest: Manifest
  private var port: DevicePort?
  private var setting = Setting.off
  private var number: UInt64 = 0

  init(_ manifest: Manifest) { self.manifest = manifest }
  func open(_ port: DevicePort, at instant: Instant) { self.port = port }
  func apply(_ setting: Setting, at instant: Instant) {
    self.setting = setting
    let state = manifest.state(named: setting.isOn ? "on" : "off") ?? manifest.safe
    port?.report(.state(state, period: setting.period), at: instant)
    port?.setAlarm(at: setting.isOn ? instant : nil)
  }
  func wake(at instant: Instant, horizon: Instant) {
    guard setting.isOn else { return }
    number += 1
    let place = Sample(instant: instant, sequence: number, 47.05, 8.31, 4)
    let batch = Batch(device: manifest.device, samples: [place], reason: .immediate)
    port?.deliver(batch, at: instant)
    port?.setAlarm(at: instant + (setting.period ?? .seconds(1)))
  }
  func drain(at instant: Instant, reason: DeliveryReason) {}
  func close(at instant: Instant) {}
}

func firstExample() async throws {
  let text = """
    {"stint_manifest": 1, "device": "location.gnss", "kind": "sensor", "title": "receiver of the app",
     "states": [{"name": "off", "power": "0 W", "on": false}, {"name": "on", "power": "60 mW", "on": true}],
     "transitions": [["off", "on"], ["on", "off"]], "initial": "off", "safe": "off",
     "verbs": ["start", "stop", "pause"],
     "channels": [{"name": "latitude", "unit": "deg"}, {"name": "longitude", "unit": "deg"},
                  {"name": "accuracy", "unit": "m"}],
     "facts": [{"name": "accuracy", "unit": "m", "range": ["0 m", "10 km"], "max_age": "10 s"},
               {"name": "latitude", "unit": "deg"}, {"name": "longitude", "unit": "deg"}]}
    """
  let receiver = Receiver(try ManifestReader.manifest(of: Array(text.utf8), source: "receiver"))
  let bus = try await Bus(plugins: .linked([receiver]), clock: .system)
  try await bus.load(
    text: """
      policy "trail" version 1
      use location.gnss as gps
      rule poor "after 3 min above 50 m, the receiver is off for 2 to 5 min"
      when (gps.on and gps.accuracy > 50 m) for 3 min {
        stop gps for 2 min doubling to 5 min
      }
      """)
  let app = try await bus.attach("trail-app", authorized: .whenInUse)
  let hike = try await app.withDemand(.location(accuracy: .meters(10), activity: .fitness)) { batches in
    var hike: [Reading] = []
    for try await batch in batches {
      hike += batch.samples
      if hike.count >= 3 { break }
    }
    return hike
  }
  print(hike.map(\.values), await bus.why("location.gnss"))
  await bus.close()
}
