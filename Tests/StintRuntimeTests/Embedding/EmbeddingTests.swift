import Stint
import StintModel
import StintPluginKit
import StintSimulation
import StintTestSupport
import StintUnits
import Testing

/// The example app of the documentation. It collects at least 120 positions of a hike.
private struct Hike: CustomStringConvertible {
  private(set) var samples: [Reading] = []
  var done: Bool { samples.count >= 120 }
  mutating func append(_ more: [Reading]) { samples += more }
  var description: String { "\(samples.count) positions" }
}

@Suite struct EmbeddingTests {
  /// The reference phone during the hike scenario, in virtual time.
  private func bus(timeZone: String? = nil) async throws -> Bus {
    let scenario = try BuiltInScenarios.scenario(named: "day-hike")
    let phone = ReferencePhone(scenario, seed: 1, meter: EnergyMeter())
    return try await Bus(
      plugins: .linked(phone.plugins()), clock: .virtual(from: .nanoseconds(scenario.start.nanoseconds)),
      timeZone: timeZone)
  }

  @Test(
    "a name has one client: a second attachment throws, the first client works, and `detach` frees the name")
  func names() async throws {
    let phone = try ReferencePhone(scenario: "day-hike")
    let bus = try await Bus(plugins: .linked(phone.plugins()), clock: .virtual(from: phone.clockStart))
    let app = try await bus.attach("app", authorized: .always)
    let notices = try await app.ask("way", for: LocationUpdates(accuracy: .meters(10)))
    let second = await #expect(throws: Problem.self) {
      try await bus.attach("app", authorized: .denied, mayBackground: false)
    }
    #expect(second?.code == .inUse && second?.cause == "a client named “app” is attached already")
    #expect(second?.remedy == "use this client, detach it first, or use another name")
    #expect(await app.permissions == .always && notices.end == nil)
    _ = try await bus.attach("widget", authorized: .always)
    await app.detach()
    #expect(notices.end == .detached)
    let again = try await bus.attach("app", authorized: .whenInUse)
    #expect(await again.permissions == .whenInUse)
    await bus.close()
  }

  @Test(
    "X08: the example of an app collects positions, and the end of its closure switches the receiver off")
  func tenLines() async throws {
    let bus = try await bus()
    try await bus.load(policies: Repository.path("policies/hiking.stint"))
    let app = try await bus.attach("trail-app", authorized: .whenInUse)
    let hike = try await app.withDemand(.location(accuracy: .meters(10), activity: .fitness)) { batches in
      async let _ = bus.flow()
      #expect(await bus.why("location.gnss").contains("demanded by  trail-app #1"))
      var hike = Hike()
      for try await batch in batches {
        hike.append(batch.samples)
        if hike.done { break }
      }
      return hike
    }
    #expect(hike.samples.count >= 120)
    #expect(zip(hike.samples, hike.samples.dropFirst()).allSatisfy { $0.time < $1.time })
    #expect(hike.samples.allSatisfy { abs($0.values[0] - 47) < 1 })
    #expect(await bus.why("location.gnss").contains("no client"))
    await bus.close()
  }

  @Test("X08: a demand with an invalid period is refused, and so is a maximum age of more than 70 years")
  func periods() async throws {
    let bus = try await bus()
    let app = try await bus.attach("trail-app", authorized: .whenInUse)
    for period in [Duration.seconds(-1), .zero, .seconds(Int64.max), .seconds(Int64.min)] {
      let refusal = await #expect(throws: Problem.self) {
        try await app.withDemand(.samples(of: "location.gnss", every: period)) { _ in }
      }
      #expect(refusal?.code == .invalid)
      #expect(refusal?.description.contains("at most 70 years") == true)
    }
    let age = await #expect(throws: Problem.self) {
      try await app.withDemand(.samples(of: "location.gnss", maxAge: .seconds(Int64.max))) { _ in }
    }
    #expect(age?.code == .invalid && age?.cause.hasSuffix("use 0 s to 70 years") == true)
    let longest = Duration.hours(24 * 25_567)
    try await app.withDemand(.samples(of: "location.gnss", maxAge: longest)) { _ in }
    await bus.close()
  }

  @Test("F10: a demand ends when its closure throws")
  func wayOut() async throws {
    struct Stumble: Error {}
    let bus = try await bus()
    let app = try await bus.attach("trail-app", authorized: .whenInUse)
    await #expect(throws: Stumble.self) {
      try await app.withDemand(.location(accuracy: .meters(10))) { batches in
        async let _ = bus.flow()
        for try await _ in batches { throw Stumble() }
      }
    }
    #expect(await bus.why("location.gnss").contains("no client"))
    await bus.close()
  }

  @Test("G05 L02: a demand without permission, on a missing device or on a radio throws an error")
  func refusals() async throws {
    let bus = try await bus()
    let stranger = try await bus.attach("stranger", authorized: .undecided)
    let app = try await bus.attach("app", authorized: .always)
    await #expect(throws: Problem.self) {
      try await stranger.withDemand(.location(accuracy: .meters(10))) { _ in }
    }
    await #expect(throws: Problem.self) { try await app.withDemand(.samples(of: "no.such")) { _ in } }
    await #expect(throws: Problem.self) { try await app.withDemand(.samples(of: "radio.cellular")) { _ in } }
    await bus.close()
    await #expect(throws: Problem.self) { try await bus.attach("late", authorized: .always) }
  }

  @Test(
    "W17: loading a policy with errors throws its diagnostics; loading a missing file throws `unreadable`")
  func badPolicies() async throws {
    let bus = try await bus()
    let missing = await #expect(throws: Problem.self) { try await bus.load(policies: "/no/such/file.stint") }
    #expect(missing?.code == .unreadable)
    let folder = TemporaryFolder()
    folder.write(
      "bad.stint", "policy \"bad\" version 1\nuse location.gnss as gps\nrule r always { paus gps }\n")
    let bad = await #expect(throws: Problem.self) { try await bus.load(policies: folder.at("bad.stint")) }
    #expect(bad?.code == .badPolicy)
    #expect(bad?.description.contains("bad.stint:3:17: error[P0102]") == true)
    await bus.close()
  }

  @Test("schedules use the time zone that the app specifies; an invalid time zone is refused")
  func timeZones() async throws {
    let folder = TemporaryFolder()
    folder.write(
      "rest.stint",
      """
      policy "rest" version 1
      use location.gnss as gps required
      schedule early = 05:00..07:00
      rule rest while time in early { pause gps }
      """)
    // The hike scenario begins at 06:00 UTC.
    for (name, isResting) in [
      (nil, true), ("UTC+2", false), ("CET-1CEST,M3.5.0,M10.5.0/3", false), ("UTC-1", true),
    ] {
      let bus = try await bus(timeZone: name)
      try await bus.load(policies: folder.at("rest.stint"))
      let app = try await bus.attach("trail-app", authorized: .whenInUse)
      let why = try await app.withDemand(.location(accuracy: .meters(10))) { _ in
        await bus.why("location.gnss")
      }
      #expect(why.contains("by rest/rest") == isResting, "\(name ?? "UTC"): \(why)")
      await bus.close()
    }
    let refused = await #expect(throws: Problem.self) { try await bus(timeZone: "Nowhere/AtAll") }
    #expect(refused?.code == .badTimeZone)
  }

  @Test(
    "a plugin folder provides manifests; a device without linked code exists but is unavailable")
  func folder() async throws {
    let folder = TemporaryFolder()
    folder.makeFolder("gnss")
    folder.write("gnss/manifest.json", ReferencePhone.manifestText("location.gnss"))
    let bus = try await Bus(plugins: .directory(folder.path), clock: .system)
    #expect(await bus.why("location.gnss").contains("not available"))
    await bus.close()
    await #expect(throws: Problem.self) { try await Bus(plugins: .directory(folder.at("nowhere"))) }
  }
}
