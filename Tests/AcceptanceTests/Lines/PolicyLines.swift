import StintModel
import StintSimulation
import StintUnits

/// For each behaviour of `Tests/BEHAVIOURS.md`, a policy that produces or uses the behaviour. The tests add
/// the line `policy "…"` in front of each policy.
enum PolicyLines {
  /// All policies, each with the id of its behaviour.
  static var all: [(id: String, text: String)] { location + places + network }

  /// The facts that apps publish in these policies.
  static var declares: [FactSchema] {
    let truths = [
      "app.ready", "diary.open", "diary.wants_visits", "door.opened", "game.on", "game.running", "graph.open",
      "map.opened", "overlay.on", "queue.urgent", "route.active", "shift.on", "track.recording",
      "trail.ended",
      "trail.open", "trip.ended", "view.open", "view.rotatable", "workout.active",
    ]
    return truths.map { FactSchema(path: $0, type: .boolean) } + [
      FactSchema(path: "hike.remaining", type: .quantity(.length), range: -1e6...1e6),
      FactSchema(path: "net.throughput", type: .quantity(.throughput), range: 0...1e12),
      FactSchema(path: "queue.kind", type: .symbol(["media", "ads", "mail"])),
      FactSchema(path: "screen", type: .symbol(["off", "on"])),
      FactSchema(
        path: "beacon.f7826da6-4fa2-4e98-8024-bc5b71e0893e.10", type: .boolean, maxAge: .minutes(1)),
    ]
  }

  /// Returns the vocabulary of the reference phone with all optional devices, and of a third-party device.
  static func vocabulary() throws -> Vocabulary {
    var manifests = try ReferencePhone.manifests()
    manifests += ReferencePhone.optionalDeviceNames.compactMap { ReferencePhone.manifest($0) }
    var light = manifests[0]
    if let accelerometer = ReferencePhone.manifest("motion.accelerometer") { light = accelerometer }
    light.device = "ambient.light"
    light.vendor = "acme"
    light.facts = []
    return Vocabulary(manifests: manifests + [light], declared: declares)
  }
}
