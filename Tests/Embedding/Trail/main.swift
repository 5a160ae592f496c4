import Stint

/// A receiver that measures a position every tenth of a second while it is on.
actor Receiver: SensorPlugin {
  nonisolated let manifest: Manifest
  private var port: DevicePort?
  private var isOn = false
  private var number: UInt64 = 0

  init(_ manifest: Manifest) { self.manifest = manifest }
  func open(_ port: DevicePort, at instant: Instant) { self.port = port }
  func apply(_ setting: Setting, at instant: Instant) {
    isOn = setting.isOn
    port?.setAlarm(at: isOn ? instant : nil)
  }
  func wake(at instant: Instant, horizon: Instant) {
    guard isOn else { return }
    number += 1
    let place = Sample(instant: instant, sequence: number, 47.05, 8.31, 4)
    let batch = Batch(device: manifest.device, samples: [place], reason: .immediate)
    port?.deliver(batch, at: instant)
    port?.setAlarm(at: instant + .milliseconds(100))
  }
  func drain(at instant: Instant, reason: DeliveryReason) {}
  func close(at instant: Instant) {}
}

let text = """
  {"stint_manifest": 1, "device": "location.gnss", "kind": "sensor", "title": "receiver of the app",
   "states": [{"name": "off", "power": "0 W", "on": false}, {"name": "on", "power": "60 mW", "on": true}],
   "transitions": [["off", "on"], ["on", "off"]], "initial": "off", "safe": "off",
   "verbs": ["start", "stop", "pause"],
   "channels": [{"name": "latitude", "unit": "deg"}, {"name": "longitude", "unit": "deg"},
                {"name": "accuracy", "unit": "m"}],
   "facts": [{"name": "accuracy", "unit": "m", "range": ["0 m", "10 km"], "max_age": "10 s"},
             {"name": "latitude", "unit": "deg", "range": ["-90 deg", "90 deg"]},
             {"name": "longitude", "unit": "deg", "range": ["-180 deg", "180 deg"]}]}
  """
let receiver = Receiver(try ManifestReader.manifest(of: Array(text.utf8), source: "receiver"))
try await withBus(Bus(plugins: .linked([receiver]))) { bus in
  let app = try await bus.attach("trail-app", authorized: .whenInUse)
  let positions = try await app.withDemand(.location(accuracy: .meters(10))) { batches in
    var count = 0
    for try await batch in batches {
      count += batch.samples.count
      if count >= 3 { break }
    }
    return count
  }
  print("\(positions) positions")
}
