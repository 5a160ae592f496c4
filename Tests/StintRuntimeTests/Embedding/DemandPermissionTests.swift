import StintModel
import StintUnits
import Testing

@testable import Stint

/// The result of a demand of an app, for all combinations of authorization, presence, background flag,
/// background capability and attachment.
@Suite struct DemandPermissionTests {
  struct Row: Sendable, CustomStringConvertible {
    var authorization: Client.Authorization
    var isInBackground: Bool
    var hasFlag: Bool
    var mayBackground: Bool
    var isAttached: Bool

    var description: String {
      "\(authorization)\(isInBackground ? ", background" : "")\(hasFlag ? ", flag" : "")"
        + "\(mayBackground ? ", background capability" : "")\(isAttached ? "" : ", detached")"
    }

    /// The result according to the behaviours X02, L16, L17 and F10.
    var expected: DemandPermissionTests.Outcome {
      if hasFlag, !mayBackground { return .refused(.denied) }
      // The permission changes before the client detaches, so the permission is the reason of the end.
      if authorization == .denied { return .ended(.denied) }
      if authorization == .undecided { return .ended(.undecided) }
      if !isAttached { return .ended(.detached) }
      return isInBackground && !hasFlag ? .silent : .delivered
    }

    static let all: [Row] = [Client.Authorization.denied, .undecided, .whenInUse, .always].flatMap { answer in
      (0..<16).map { bits in
        Row(
          authorization: answer, isInBackground: bits & 1 > 0, hasFlag: bits & 2 > 0,
          mayBackground: bits & 4 > 0, isAttached: bits & 8 > 0)
      }
    }
  }

  enum Outcome: Hashable, Sendable {
    case refused(Problem.Code)
    /// Nothing was delivered after the change, and the stream failed.
    case ended(Problem.Code)
    /// Nothing was delivered after the change, and the stream continues.
    case silent
    case delivered
  }

  private struct Stage {
    let gnss: TickingSensor
    let bus: Bus
    let app: Client
  }

  private func stage(mayBackground: Bool) async throws -> Stage {
    let gnss = try TickingSensor("location.gnss")
    let bus = try await Bus(
      plugins: .linked([gnss, try TickingSensor("motion.accelerometer")]), clock: .virtual)
    let app = try await bus.attach("app", authorized: .always, mayBackground: mayBackground)
    await app.setPresence(.foreground)
    return Stage(gnss: gnss, bus: bus, app: app)
  }

  private func change(to row: Row, _ stage: Stage) async throws {
    await stage.app.setPresence(row.isInBackground ? .background : .foreground)
    await stage.app.authorize(Client.Permissions(row.authorization))
    if !row.isAttached { await stage.app.detach() }
  }

  private func outcome(_ row: Row) async throws -> (Outcome, isOn: Bool) {
    let stage = try await stage(mayBackground: row.mayBackground)
    let request = DemandRequest.location(accuracy: .meters(10), background: row.hasFlag)
    let counted = Locked(0)
    var outcome = Outcome.silent
    do {
      try await withThrowingTaskGroup(of: Void.self) { group in
        try await stage.app.withDemand(request) { batches in
          var reader = batches.makeAsyncIterator()
          for _ in 0..<3 {
            try await stage.bus.advance(by: .seconds(1))
            _ = try await reader.next()
          }
          try await change(to: row, stage)
          group.addTask {
            try await stage.bus.advance(by: .seconds(180))
            // Ends a stream that still continues.
            await stage.app.end("#1")
          }
          while try await reader.next() != nil { counted.withLock { $0 += 1 } }
        }
        try await group.waitForAll()
      }
      if counted.withLock({ $0 }) > 0 { outcome = .delivered }
    } catch let error as Problem {
      #expect(counted.withLock { $0 } == 0, "\(row)")
      let isRefused = row.hasFlag && !row.mayBackground
      outcome = isRefused ? .refused(error.code) : .ended(error.code)
    }
    try await stage.bus.advance(by: .seconds(180))
    let isOn = await stage.gnss.isOn
    await stage.bus.close()
    return (outcome, isOn)
  }

  @Test(
    "X02 L16 L17 F10: authorization, background use and attachment decide a demand's result",
    arguments: Row.all)
  func table(_ row: Row) async throws {
    let (outcome, isOn) = try await outcome(row)
    #expect(outcome == row.expected, "\(row)")
    #expect(!isOn, "\(row): the receiver is still on at the end")
  }

  @Test("X02: a demand is refused while permission is denied or undecided, and after its client has detached")
  func asking() async throws {
    let stage = try await stage(mayBackground: true)
    for authorization in [Client.Authorization.denied, .undecided] {
      await stage.app.authorize(Client.Permissions(authorization))
      let error = await #expect(throws: Problem.self) {
        try await stage.app.withDemand(.location(accuracy: .meters(10))) { _ in }
      }
      #expect(error?.code == (authorization == .denied ? .denied : .undecided))
    }
    await stage.app.authorize(.whenInUse)
    try await stage.app.withDemand(.location(accuracy: .meters(10))) { batches in
      try await stage.bus.advance(by: .seconds(1))
      for try await _ in batches { break }
    }
    await stage.app.detach()
    let gone = await #expect(throws: Problem.self) {
      try await stage.app.withDemand(.location(accuracy: .meters(10))) { _ in }
    }
    #expect(gone?.code == .detached)
    await stage.bus.close()
  }

  @Test("X02: samples that were not read before a denial are not delivered after it")
  func unread() async throws {
    let stage = try await stage(mayBackground: true)
    let request = DemandRequest.location(accuracy: .meters(10))
    let error = await #expect(throws: Problem.self) {
      try await stage.app.withDemand(request) { batches in
        try await stage.bus.advance(by: .seconds(180))
        await stage.app.authorize(.denied)
        for try await _ in batches { Issue.record("a position is delivered after the denial") }
      }
    }
    #expect(error?.code == .denied)
    await stage.bus.close()
  }
}
