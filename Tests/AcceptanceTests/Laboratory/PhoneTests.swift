import StintModel
import StintServices
import StintUnits
import Testing

/// A minimal stream of one device's samples.
private struct Stream: Service, ServiceRequest {
  struct Seen: ServiceNotice, Hashable { var samples: Int }

  let device: DeviceID
  func candidates(_ roles: DeviceRoles) -> [DeviceID] { [device] }

  func makeService() -> any Service { self }

  mutating func begin(_ context: ServiceContext, _ outbox: inout ServiceOutbox) { _ = outbox.raise(device) }

  mutating func handle(_ event: ServiceEvent, _ context: ServiceContext, _ outbox: inout ServiceOutbox) {
    if case .batch(let batch, _) = event { outbox.notify(Seen(samples: batch.samples.count)) }
  }
}

@Suite(.checkedPhones) struct PhoneTests {
  @Test(
    "a service on the simulated phone powers its device and gets samples; after its end the device is off")
  func stream() async throws {
    let phone = try await Phone(devices: ["location.gnss", "host.processor"])
    await phone.attach("app")
    await phone.run(until: 10)
    await phone.ask("app", "way", Stream(device: "location.gnss"))
    await phone.run(until: 70)
    await phone.end("app", "way")
    await phone.run(until: 3600)
    #expect(phone.states(of: "location.gnss").prefix(2) == ["search 10", "track 57"])
    #expect(phone.notices(Stream.Seen.self, for: "app").count >= 13)
    #expect(await phone.onTime(of: "location.gnss") == 60)
    #expect(await !phone.isOn("location.gnss"))
    await phone.expectInvariants()
  }

  @Test("a rule that stops a device also stops it for the demand of a service")
  func policy() async throws {
    let phone = try await Phone(
      devices: ["location.gnss", "host.app"], facts: [(30, "app.state", "background")],
      policy: """
        use location.gnss as gps
        rule r while app.state is background { stop gps }
        """)
    await phone.attach("app")
    await phone.ask("app", "way", Stream(device: "location.gnss"))
    await phone.run(until: 100)
    #expect(await phone.onTime(of: "location.gnss") == 30)
    await phone.expectInvariants()
  }

  @Test("F10: after a client detaches, its devices are off")
  func gone() async throws {
    let phone = try await Phone(devices: ["motion.accelerometer"])
    await phone.attach("app")
    await phone.ask("app", "shake", Stream(device: "motion.accelerometer"))
    await phone.run(until: 5)
    await phone.serve(.detach("app"))
    await phone.run(until: 100)
    #expect(await phone.onTime(of: "motion.accelerometer") == 5)
  }
}
