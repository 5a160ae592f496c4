import Foundation
import Stint
import StintSimulation
import Testing

/// Tests each kind of request in a site file, with each permission of its client.
@Suite struct SitePermissionTests {
  private static let devices: [DeviceID] = [
    "location.gnss", "location.wifi", "motion.accelerometer", "radio.ble",
  ]
  private static let kinds = Kind.all

  /// A bus on a site with one client per kind. The clients begin when the devices are open.
  private struct Site: ~Copyable {
    let folder = Folder()
    let bus: Bus
    let events: Events

    init(_ decision: Decision) async throws {
      let clients = kinds.enumerated().map { number, kind in
        let with = kind.settings.isEmpty ? "" : #","with":{\#(kind.settings)}"#
        return #"{"name":"client-\#(number)","permission":\#(decision.json),"background":true,"#
          + #""services":[{"name":"it","kind":"\#(kind.name)"\#(with)}]}"#
      }
      try folder.write(
        "site.json",
        #"{"stint_site":1,"plugins":[{"plugin":"phone"}],"clients":[\#(clients.joined(separator: ","))]}"#)
      let form = PluginForm(name: "phone", meaning: "sensors that measure each second")
      let plugin = LinkedPlugin(form: form) { _, _ in
        devices.map { LinkedPlugin.Device(Ticker($0), manifestText: ReferencePhone.manifestText($0)) }
          + [LinkedPlugin.Device(IdleRadio(), manifestText: ReferencePhone.manifestText("radio.wifi"))]
      }
      var files = Bus.Files()
      files.control = folder.at("control")
      let events = Events()
      // A session of transfers is refused unless an app carries out its orders (`onOrder`).
      bus = try await Bus(
        plugins: .site(folder.at("site.json"), linked: [plugin]), clock: .system, files: files,
        onOrder: { _, _, _ in }, onEvent: { event in events.texts.withLock { $0.append(event.text) } })
      self.events = events
    }

    /// Returns the names of the clients that a device serves or that wait for the device.
    func clients(of device: DeviceID) async -> Set<String> {
      let report = await bus.devices().first { $0.name == device.path }
      return Set((report?.served ?? []) + (report?.waiting.map(\.client) ?? []))
    }

    /// Sets the permissions of all clients as an operator.
    func permit(_ decision: Decision) async throws {
      for number in kinds.indices {
        let reply = try await Program.ask(
          #"{"ask":"permit","client":"client-\#(number)","permission":\#(decision.json)}"#,
          at: folder.at("control"))
        try #require(reply.contains(#""ok":true"#), "\(reply)")
      }
    }
  }

  private final class Events: Sendable {
    let texts = Locked<[String]>([])
  }

  @Test("X01: a request of a site is refused, with the reason, exactly when its client lacks the permission")
  func begin() async throws {
    for decision in Decision.all {
      let site = try await Site(decision)
      let refusals = site.events.texts.withLock { $0.filter { $0.contains("problem: ") } }
      var refused = 0
      for (number, kind) in Self.kinds.enumerated() {
        let code = decision.refusal(kind.need)
        let isRefused = refusals.contains { $0.contains("“client-\(number)”") }
        #expect(isRefused == (code != nil), "\(kind), \(decision.name): \(refusals)")
        refused += code == nil ? 0 : 1
        if let device = kind.device, kind.name != "fix" {
          let isThere = await site.clients(of: device).contains("client-\(number)")
          #expect(isThere == (code == nil), "\(kind), \(decision.name)")
        }
      }
      let status = try await Program.ask(#"{"ask":"status"}"#, at: site.folder.at("control"))
      #expect(status.components(separatedBy: "“it” waits: the user ").count - 1 == refused, "\(status)")
      await site.bus.close()
    }
  }

  @Test(
    "X02: no device serves a site's clients while an operator denies permission; a new grant resumes service")
  func revoked() async throws {
    let site = try await Site(.allowed)
    func served() async -> [String] {
      var served: [String] = []
      for (number, kind) in Self.kinds.enumerated() where kind.need != .nothing && kind.name != "fix" {
        guard let device = kind.device else { continue }
        if await site.clients(of: device).contains("client-\(number)") { served.append(kind.name) }
      }
      return served
    }
    let before = await served()
    #expect(before == ["updates", "samples", "samples", "motion", "beacons", "ranging"])
    try await site.permit(.denied)
    #expect(await served().isEmpty)
    try await site.permit(.allowed)
    var after = await served()
    // A device may still be switching on when the operator gets the answer.
    for _ in 0..<100 where after != before { after = await served() }
    #expect(after == before, "\(site.events.texts.withLock { $0 })")
    await site.bus.close()
  }
}

/// A radio that never transfers anything.
private actor IdleRadio: RadioPlugin {
  nonisolated let manifest = ReferencePhone.manifest("radio.wifi")!
  private var port: DevicePort?

  func open(_ port: DevicePort, at instant: Instant) { self.port = port }
  func apply(_ setting: Setting, at instant: Instant) {
    port?.report(.state(manifest.safe, period: nil), at: instant)
  }
  func startTransfers(_ transfers: [AssignedTransfer], at instant: Instant) {}
  func wake(at instant: Instant, horizon: Instant) {}
  func close(at instant: Instant) {}
}
