import StintModel
import StintPluginKit
import StintSimulation
import StintTestSupport
import StintUnits
import Testing

@testable import Stint

@Suite("Sites of a bus") struct BusSiteTests {
  @Test("an app runs the plugins of a site file, and declares facts of its own")
  func site() async throws {
    let folder = TemporaryFolder()
    let clients = #""clients": [{"name": "box", "demands": [{"target": "location.gnss"}]}]"#
    folder.write("site.json", #"{"stint_site": 1, "plugins": [{"plugin": "ticking"}], \#(clients)}"#)
    let form = PluginForm(name: "ticking", meaning: "a receiver that measures each second")
    let sensor = try TickingSensor("location.gnss")
    let ticking = LinkedPlugin(form: form) { _, _ in
      [LinkedPlugin.Device(sensor, manifestText: ReferencePhone.manifestText("location.gnss"))]
    }
    let bus = try await Bus(
      plugins: .site(folder.at("site.json"), linked: [ticking]), clock: .system,
      facts: [AppFact("hike.left", .quantity(unit: "h"))])
    try await bus.load(
      text: """
        policy "cabin" version 1
        use location.gnss as gps
        rule end while hike.left < 1 h { stop gps }
        """)
    let app = try await bus.attach("trail-app", authorized: .always)
    try await app.withDemand(.location(accuracy: .meters(10))) { batches in
      #expect(await sensor.isOn)
      try await app.publish("hike.left", .quantity(0.5, unit: "h"))
      #expect(await !sensor.isOn)
      try await app.publish("hike.left", .quantity(5, unit: "h"))
      for try await batch in batches where !batch.samples.isEmpty { break }
    }
    #expect(await sensor.isOn)
    let box = await #expect(throws: Problem.self) { try await bus.attach("box", authorized: .always) }
    #expect(box?.code == .inUse)
    await bus.close()
    let error = await #expect(throws: Problem.self) {
      try await Bus(plugins: .site(folder.at("site.json"), linked: [ticking]), clock: .virtual)
    }
    #expect(error?.code == .invalid)
    let taken = await #expect(throws: Problem.self) {
      try await Bus(
        plugins: .site(folder.at("site.json"), linked: [ticking]),
        facts: [AppFact("location.gnss.speed", .quantity(unit: "m/s"))])
    }
    #expect(taken?.code == .badFact)
  }

  @Test("a site gives two devices of one linked plugin other names; policies, apps and facts use these names")
  func linkedNames() async throws {
    let folder = TemporaryFolder()
    let entries = ["roof", "mast"].map { #"{"plugin": "ticking", "as": "location.\#($0)"}"# }
    folder.write("site.json", #"{"stint_site": 1, "plugins": [\#(entries.joined(separator: ", "))]}"#)
    let form = PluginForm(name: "ticking", meaning: "a receiver that measures each second")
    let sensors = [try TickingSensor("location.gnss"), try TickingSensor("location.gnss")]
    let made = Locked(0)
    let ticking = LinkedPlugin(form: form) { _, _ in
      let index = made.withLock { count in
        defer { count += 1 }
        return count
      }
      return [
        LinkedPlugin.Device(
          sensors[index % 2], manifestText: ReferencePhone.manifestText("location.gnss"))
      ]
    }
    let bus = try await Bus(plugins: .site(folder.at("site.json"), linked: [ticking]), clock: .system)
    try await bus.load(
      text: """
        policy "cabin" version 1
        use location.roof as roof required
        use location.mast as mast required
        rule rest while mast.available { downgrade mast to 200 m }
        rule fast while roof.speed > 3 m/s { downgrade roof to 100 m }
        """)
    let app = try await bus.attach("trail-app", authorized: .always)
    try await app.withDemand(.samples(of: "location.mast")) { _ in
      try await app.withDemand(.samples(of: "location.roof")) { batches in
        for try await batch in batches where !batch.samples.isEmpty {
          #expect(batch.device == "location.roof")
          break
        }
      }
    }
    #expect(await bus.why("location.mast").contains("rest"))
    #expect(await bus.facts().contains { $0.name == "location.roof.speed" })
    await bus.close()

    for (names, cause) in [
      (#""location.gnss", "location.gnss""#, "two plugins for location.gnss"),
      (#"{"location.gns": "a"}, "location.mast""#, "ticking has no device “location.gns”"),
    ] {
      let parts = names.split(separator: ", ").map { #"{"plugin": "ticking", "as": \#($0)}"# }
      folder.write("site.json", #"{"stint_site": 1, "plugins": [\#(parts.joined(separator: ", "))]}"#)
      let error = await #expect(throws: Problem.self) {
        try await Bus(plugins: .site(folder.at("site.json"), linked: [ticking]), clock: .system)
      }
      #expect(error?.description.contains(cause) == true, "\(String(describing: error))")
    }
  }
}
