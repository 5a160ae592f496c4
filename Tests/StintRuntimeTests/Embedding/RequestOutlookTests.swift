import StintModel
import StintSimulation
import StintUnits
import Testing

@testable import Stint

@Suite("The outlook of a client's requests: why they wait, and until when") struct RequestOutlookTests {
  private static let policy = """
    policy "trail" version 1
    use location.gnss as gps
    rule night while hike.left < 1 h { pause gps }
    rule poor when hike.left > 9 h { stop gps for 5 min }
    """

  private func withPhone(_ body: (Bus, Client) async throws -> Void) async throws {
    let phone = try ReferencePhone(scenario: "day-hike")
    try await withBus(
      Bus(
        plugins: .devices(phone.linkedDevices()), clock: .virtual(from: phone.clockStart),
        facts: [AppFact("hike.left", .quantity(unit: "h"))])
    ) { bus in
      try await bus.load(text: Self.policy)
      try await body(bus, try await bus.attach("trail-app", authorized: .always, mayBackground: true))
    }
  }

  @Test("a served client has no obstacle, and a client without a request has the obstacle `noRequest`")
  func served() async throws {
    try await withPhone { bus, app in
      #expect(try await app.outlook(for: "location.gnss").obstacles == [.noRequest])
      try await app.withDemand(.location(accuracy: .meters(10))) { _ in
        try await bus.advance(by: .seconds(60))
        let outlook = try await app.outlook(for: "location.gnss")
        #expect(outlook.isServed && outlook.obstacles.isEmpty && outlook.expected != nil)
      }
      let error = await #expect(throws: Problem.self) { try await app.outlook(for: "location.none") }
      #expect(error?.code == .noSuchDevice)
      let source = await #expect(throws: Problem.self) { try await app.outlook(for: "power.battery") }
      #expect(source?.code == .noSuchDevice)
      #expect(source?.cause == "power.battery serves no requests, because it is a source")
      let long = await #expect(throws: Problem.self) {
        try await app.outlook(for: "\u{1B}[31m" + String(repeating: "x", count: 5000))
      }
      #expect(long.map { $0.cause.utf8.count < 200 && !$0.cause.contains("\u{1B}") } == true)
    }
  }

  @Test("while a rule pauses a request, the obstacle is a fact with a value that ends the pause")
  func fact() async throws {
    try await withPhone { bus, app in
      try await app.withDemand(.location(accuracy: .meters(10))) { _ in
        try await app.publish("hike.left", .quantity(0.5, unit: "h"))
        let outlook = try await app.outlook(for: "location.gnss")
        #expect(!outlook.isServed && outlook.expected == nil && outlook.earliest == bus.now)
        guard case .fact("hike.left", let present, .quantity(let needed, "s"))? = outlook.obstacles.first
        else {
          Issue.record("the obstacle is not the fact: \(outlook)")
          return
        }
        #expect(present == .quantity(1800, unit: "s") && needed >= 3600)
        // With the named value, the client is served.
        try await app.publish("hike.left", .quantity(needed, unit: "s"))
        #expect(try await app.outlook(for: "location.gnss").isServed)
      }
    }
  }

  @Test(
    "while a rule stops a device for a time, the outlook gives the instant at which service continues"
  )
  func time() async throws {
    try await withPhone { bus, app in
      try await app.withDemand(.location(accuracy: .meters(10))) { _ in
        try await app.publish("hike.left", .quantity(10, unit: "h"))
        let end = bus.now + .seconds(300)
        try await bus.advance(by: .seconds(60))
        let outlook = try await app.outlook(for: "location.gnss")
        #expect(outlook.obstacles == [.rule("trail/poor", until: end)])
        #expect(outlook.expected == end && outlook.earliest == end)
        try await bus.advance(by: .seconds(239))
        #expect(try await !app.outlook(for: "location.gnss").isServed)
        try await bus.advance(by: .seconds(1))
        #expect(try await app.outlook(for: "location.gnss").isServed)
      }
    }
  }

  @Test("without permission, the obstacle is `notPermitted`; with permission, this obstacle disappears")
  func permission() async throws {
    try await withPhone { bus, app in
      await app.authorize(Client.Permissions(location: .denied))
      let outlook = try await app.outlook(for: "location.gnss")
      guard case .notPermitted(let reason)? = outlook.obstacles.first else {
        Issue.record("the permission is no obstacle: \(outlook.obstacles)")
        return
      }
      #expect(reason.contains("the user refused") && !outlook.isServed && outlook.expected == nil)
      await app.authorize(Client.Permissions(location: .whenInUse))
      #expect(try await app.outlook(for: "location.gnss").obstacles == [.noRequest])
    }
  }

  @Test("text and obstacles name the same permission, and a fix that waits for the user is a request")
  func undecided() async throws {
    try await withPhone { bus, app in
      for permission in [Client.Permissions.undecided, .denied] {
        await app.authorize(permission)
        let outlook = try await app.outlook(for: "location.gnss")
        guard outlook.obstacles.count == 2, case .notPermitted(let reason) = outlook.obstacles[0] else {
          Issue.record("\(outlook.obstacles)")
          return
        }
        #expect(outlook.obstacles[1] == .noRequest && "\(outlook)".contains(reason), "\(outlook)")
      }
      await app.authorize(.undecided)
      _ = try await app.ask("here", for: FixRequest(timeout: .minutes(5)))
      let outlook = try await app.outlook(for: "location.gnss")
      guard outlook.obstacles.count == 1, case .notPermitted(let reason)? = outlook.obstacles.first else {
        Issue.record("\(outlook.obstacles)")
        return
      }
      #expect("\(outlook)".contains(reason) && outlook.expected == nil)
      func waiting() async -> [String] {
        await bus.devices().first { $0.name == "location.gnss" }?.waiting.map { "\($0.client) \($0.status)" }
          ?? []
      }
      #expect(await waiting() == ["trail-app undecided"])
      await app.authorize(.whenInUse)
      #expect(await waiting() == [])
      #expect(try await app.outlook(for: "location.gnss").isServed)
    }
  }

  @Test(
    "when a budget is used up, its rule is the obstacle; a detached client and a closed bus give an error")
  func budget() async throws {
    try await withPhone { bus, app in
      try await bus.load(
        text: """
          policy "trail" version 1
          use location.gnss as gps
          budget trail = 1 J per hour on gps { at 100 % { stop gps } }
          """)
      try await app.withDemand(.location(accuracy: .meters(10))) { _ in
        try await bus.advance(by: .seconds(600))
        let outlook = try await app.outlook(for: "location.gnss")
        guard case .rule(let rule, nil)? = outlook.obstacles.first else {
          Issue.record("the budget is no obstacle: \(outlook)")
          return
        }
        #expect(rule.hasPrefix("trail/trail") && !outlook.isServed)
      }
      await app.detach()
      let detached = await #expect(throws: Problem.self) { try await app.outlook(for: "location.gnss") }
      #expect(detached?.code == .detached)
      await bus.close()
      let closed = await #expect(throws: Problem.self) { try await app.outlook(for: "location.gnss") }
      #expect(closed?.code == .closed)
    }
  }

  @Test("a client in the background whose request has no background flag has the obstacle `background`")
  func background() async throws {
    try await withPhone { bus, app in
      let other = try await bus.attach("other", authorized: .always)
      try await app.withDemand(.location(accuracy: .meters(10), background: true)) { _ in
        try await other.withDemand(.location(accuracy: .meters(10))) { _ in
          await other.setPresence(.background)
          let outlooks = [
            try await other.outlook(for: "location.gnss"), try await app.outlook(for: "location.gnss"),
          ]
          #expect(outlooks[0].obstacles == [.background] && outlooks[1].isServed)
        }
      }
    }
  }
}
