import Stint
import Testing

/// Requests for one fix: no fix without permission, and the exact reason.
@Suite struct FixPermissionTests {
  /// Makes the request and lets 1 s pass.
  private static func begin(_ stage: Stage, background: Bool? = nil) async throws {
    #expect(try await stage.ask(.fix(background: background), 1) == nil)
    try await stage.bus.advance(by: .seconds(1))
  }

  @Test(
    "X02: until the user has decided, a fix request uses no device, and fails at its timeout as “undecided”",
    arguments: Entry.allCases)
  func undecided(entry: Entry) async throws {
    try await Stage.with(entry, .undecided) { stage in
      try await Self.begin(stage)
      try await stage.bus.advance(by: .seconds(58))
      #expect(try await stage.running() == 1)
      #expect(await stage.devices().isEmpty)
      try await stage.bus.advance(by: .seconds(2))
      #expect(
        try await stage.fix()
          == .failed("undecided", "the user has not allowed the location within 1 min; ask again later"))
      #expect(try await stage.running() == 0)
    }
  }

  @Test(
    "X02: a fix request that waits for the user's decision is answered after the grant",
    arguments: Entry.allCases)
  func granted(entry: Entry) async throws {
    try await Stage.with(entry, .undecided) { stage in
      try await Self.begin(stage)
      try await stage.permit(.allowed)
      try await stage.bus.advance(by: .seconds(58))
      guard case .fix(let accuracy) = try await stage.fix() else {
        Issue.record("no fix after the grant")
        return
      }
      #expect(accuracy <= 10)
      #expect(await stage.devices().isEmpty)
    }
  }

  @Test(
    "X02: after a revocation, a fix request ends at once as “denied” without a fix, and names the permission",
    arguments: Entry.allCases)
  func revoked(entry: Entry) async throws {
    try await Stage.with(entry, .allowed) { stage in
      try await Self.begin(stage)
      #expect(try await stage.serves("location.gnss"))
      try await stage.permit(.denied)
      try await stage.bus.advance(by: .seconds(1))
      #expect(await stage.devices().isEmpty)
      #expect(
        try await stage.fix()
          == .failed(
            "denied", "the user refused the location, which this request needs. The user must allow it"))
    }
  }

  @Test(
    "X02: with a coarse permission, a fix is accurate to 3 km at best, and the receiver stays off",
    arguments: Entry.allCases)
  func coarse(entry: Entry) async throws {
    try await Stage.with(entry, .coarse) { stage in
      try await Self.begin(stage)
      #expect(try await !stage.serves("location.gnss"))
      try await stage.bus.advance(by: .seconds(60))
      guard case .fix(let accuracy) = try await stage.fix() else {
        Issue.record("no coarse fix")
        return
      }
      #expect(accuracy >= Precision.coarseRadius)
    }
  }

  @Test(
    "L16: in the background, a fix request without the background flag fails at its timeout, with the reason",
    arguments: Entry.allCases)
  func background(entry: Entry) async throws {
    try await Stage.with(entry, .allowed) { stage in
      try await stage.set(.background)
      try await Self.begin(stage)
      #expect(try await !stage.serves("location.gnss"))
      let device = try #require(await stage.bus.devices().first { $0.name == "location.gnss" })
      #expect(device.waiting.map(\.status) == ["background"] && !device.isOn)
      try await stage.bus.advance(by: .seconds(60))
      #expect(
        try await stage.fix()
          == .failed(
            "timed-out",
            "no fix of 10 m within 1 min; the app is in the background, where this request does not continue")
      )
    }
  }

  @Test(
    "L16: a fix request without the background flag is answered when the app returns in time",
    arguments: Entry.allCases)
  func returned(entry: Entry) async throws {
    try await Stage.with(entry, .allowed) { stage in
      try await stage.set(.background)
      try await Self.begin(stage)
      try await stage.set(.foreground)
      try await stage.bus.advance(by: .seconds(58))
      guard case .fix = try await stage.fix() else {
        Issue.record("no fix after the return")
        return
      }
    }
  }

  @Test(
    "L16: a fix request with the background flag is answered in the background", arguments: Entry.allCases)
  func continued(entry: Entry) async throws {
    try await Stage.with(entry, .allowed) { stage in
      try await stage.set(.background)
      try await Self.begin(stage, background: true)
      #expect(try await stage.serves("location.gnss"))
      try await stage.bus.advance(by: .seconds(58))
      guard case .fix = try await stage.fix() else {
        Issue.record("no fix in the background")
        return
      }
    }
  }

  @Test(
    "G05: a fix request that is stopped by a rule fails at its timeout, and the reason names the rule",
    arguments: Entry.allCases)
  func paused(entry: Entry) async throws {
    let policy = """
      policy "calm" version 1
      use location.gnss as gps
      rule rest while app.state is foreground { stop gps }
      """
    try await Stage.with(entry, .allowed) { stage in
      try await stage.bus.load(text: policy)
      try await Self.begin(stage)
      try await stage.bus.advance(by: .seconds(60))
      #expect(
        try await stage.fix()
          == .failed("timed-out", "no fix of 10 m within 1 min; stopped by the rule calm/rest"))
    }
  }

  @Test(
    "F10: a fix request of a client that leaves ends without a position, and its device stops",
    arguments: Entry.allCases)
  func detached(entry: Entry) async throws {
    for decision in [Decision.allowed, .undecided] {
      try await Stage.with(entry, decision) { stage in
        try await Self.begin(stage)
        try await stage.leave()
        #expect(try await stage.running() == 0)
        #expect(await stage.devices().isEmpty)
        if entry == .app {
          #expect(try await stage.fix() == .ended("detached"))
          // A decision after the client left starts nothing.
          try await stage.permit(.allowed)
          try await stage.bus.advance(by: .seconds(60))
          #expect(await stage.devices().isEmpty)
        }
      }
    }
  }
}
