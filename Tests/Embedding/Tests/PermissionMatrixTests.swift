import Stint
import Testing

/// Tests each kind of request from an app and from a program at the socket, with each permission and presence
/// of the client.
@Suite struct PermissionMatrixTests {
  @Test(
    "X01: a request is accepted exactly when its client has the required permission",
    arguments: Entry.allCases)
  func begin(entry: Entry) async throws {
    for decision in Decision.all {
      try await Stage.with(entry, decision) { stage in
        for (number, kind) in Kind.all.enumerated() {
          let code = try await stage.ask(kind, number)
          #expect(code == stage.refusal(kind, decision), "\(kind), \(decision.name)")
        }
        try await stage.bus.advance(by: .seconds(30))
        for device in Set(Kind.all.compactMap(\.device)) {
          let isWanted = Kind.all.contains { kind in
            kind.device == device && kind.name != "fix" && decision.refusal(kind.need) == nil
          }
          #expect(try await stage.serves(device) == isWanted, "\(device), \(decision.name)")
        }
      }
    }
  }

  @Test("X01: no device works for a request that is refused", arguments: Entry.allCases)
  func refused(entry: Entry) async throws {
    for (number, kind) in Kind.all.enumerated() {
      for decision in [Decision.denied, .undecided, .coarse] where decision.refusal(kind.need) != nil {
        try await Stage.with(entry, decision) { stage in
          #expect(try await stage.ask(kind, number) == stage.refusal(kind, decision), "\(kind)")
          try await stage.bus.advance(by: .seconds(60))
          #expect(try await stage.running() == 0, "\(kind), \(decision.name)")
          #expect(await stage.devices().isEmpty, "\(kind), \(decision.name)")
        }
      }
    }
  }

  @Test(
    "X02: a revoked permission ends its requests and stops their devices; a new grant permits new requests",
    arguments: Entry.allCases)
  func revoked(entry: Entry) async throws {
    for (number, kind) in Kind.all.enumerated() where kind.need != .nothing {
      try await Stage.with(entry, kind.running) { stage in
        #expect(try await stage.ask(kind, number) == nil)
        try await stage.bus.advance(by: .seconds(1))
        #expect(try await stage.running() == 1, "\(kind)")
        if let device = kind.device { #expect(try await stage.serves(device), "\(kind)") }
        try await stage.permit(.denied)
        try await stage.bus.advance(by: .seconds(1))
        #expect(try await stage.running() == 0, "\(kind)")
        #expect(await stage.devices().isEmpty, "\(kind)")
        #expect(try await stage.end(of: kind) == stage.refusal(kind, .denied), "\(kind)")
        #expect(try await stage.ask(kind, number + 100) == stage.refusal(kind, .denied), "\(kind)")
        try await stage.permit(kind.running)
        #expect(try await stage.ask(kind, number + 200) == nil, "\(kind)")
        try await stage.bus.advance(by: .seconds(1))
        #expect(try await stage.running() == 1, "\(kind)")
        if let device = kind.device { #expect(try await stage.serves(device), "\(kind)") }
      }
    }
  }

  @Test(
    "X02: a changed permission ends exactly the running requests that it does not satisfy",
    arguments: Entry.allCases, Decision.all.map(\.name))
  func changed(entry: Entry, name: String) async throws {
    let decision = try #require(Decision.all.first { $0.name == name })
    // Requests of the kinds `fix` and `permission` end by themselves, so they are left out.
    let kinds = Kind.all.filter { $0.name != "fix" && $0.name != "permission" }
    try await Stage.with(entry, .allowed) { stage in
      for (number, kind) in kinds.enumerated() {
        #expect(try await stage.ask(kind, number) == nil, "\(kind)")
      }
      try await stage.bus.advance(by: .seconds(30))
      #expect(try await stage.running() == kinds.count)
      try await stage.permit(decision)
      try await stage.bus.advance(by: .seconds(30))
      let kept = kinds.filter { decision.refusal($0.need) == nil }
      #expect(try await stage.running() == kept.count)
      for device in Set(kinds.compactMap(\.device)) {
        let isWanted = kept.contains { $0.device == device }
        #expect(try await stage.serves(device) == isWanted, "\(device)")
      }
    }
  }

  @Test(
    "L16: in the background, only kinds that need no `background` flag are served; in the foreground, all are",
    arguments: Entry.allCases)
  func background(entry: Entry) async throws {
    for (number, kind) in Kind.all.enumerated() where kind.name != "fix" {
      try await Stage.with(entry, kind.running) { stage in
        #expect(try await stage.ask(kind, number) == nil)
        try await stage.set(.background)
        try await stage.bus.advance(by: .seconds(60))
        #expect(try await stage.running() == 1, "\(kind)")
        if let device = kind.device {
          #expect(try await stage.serves(device) == kind.worksInBackground, "\(kind)")
        }
        try await stage.set(.foreground)
        try await stage.bus.advance(by: .seconds(30))
        #expect(try await stage.running() == 1, "\(kind)")
        if let device = kind.device { #expect(try await stage.serves(device), "\(kind)") }
      }
    }
  }

  @Test(
    "F10: when a client leaves, its requests end, except an app's requests that continue without the app",
    arguments: Entry.allCases)
  func detached(entry: Entry) async throws {
    for (number, kind) in Kind.all.enumerated() {
      try await Stage.with(entry, kind.running) { stage in
        #expect(try await stage.ask(kind, number) == nil)
        try await stage.bus.advance(by: .seconds(1))
        #expect(try await stage.running() == 1, "\(kind)")
        try await stage.leave()
        try await stage.bus.advance(by: .seconds(60))
        let continues = entry == .app && kind.outlives
        #expect(try await stage.running() == (continues ? 1 : 0), "\(kind), \(entry)")
        if let device = kind.device { #expect(try await stage.serves(device) == continues, "\(kind)") }
        if !continues { #expect(await stage.devices().isEmpty, "\(kind), \(entry)") }
      }
    }
  }
}
