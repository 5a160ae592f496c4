import Stint
import StintFormats
import StintModel
import StintServices
import StintUnits
import Testing

/// The time until which a status of a request lasts, for an app and for a program at the socket.
@Suite("the end of a status")
struct StatusEndTests {
  /// A policy whose rule pauses positions in the background, and the time until the known end of the rule.
  /// `seconds` counts from the start of the rule; nil when the end depends on a fact. The stage begins at
  /// 08:00.
  struct Case: Sendable {
    var rule: String
    var seconds: Int64?
  }

  private static let cases = [
    Case(rule: "rule r when app.state is background { pause gps for 2 min }", seconds: 120),
    Case(
      rule:
        "schedule morning = 06:00..09:30\nrule r while time in morning and app.state is background { pause gps }",
      seconds: 5400),
    Case(rule: "rule r while app.state is background { pause gps }", seconds: nil),
    Case(
      rule: """
        schedule morning = 06:00..09:30
        rule r while time in morning and app.state is background { pause gps }
        rule s while app.state is background { pause gps }
        """, seconds: nil),
  ]

  @Test(
    "the status of a paused request contains the end of the rule when time alone ends the rule",
    arguments: Entry.allCases, cases)
  func ends(entry: Entry, entryCase: Case) async throws {
    try await EntryStage.with(entry, .always) { stage in
      try await stage.bus.load(
        text: "policy \"p\" version 1\nuse location.gnss as gps\n\(entryCase.rule)\n")
      #expect(try await stage.ask("updates", #""accuracy":"10 m","background":true"#, 1) == nil)
      try await stage.set(.background)
      await stage.app.setPresence(.background)
      let end = entryCase.seconds.map { stage.bus.now + .seconds($0) }
      #expect(try await Self.end(ofPauseIn: stage) == end, "\(entryCase.rule)")
    }
  }

  /// Returns the time until which the first status “paused” of request 1 lasts.
  private static func end(ofPauseIn stage: EntryStage) async throws -> Duration? {
    if let program = stage.program {
      let line = try await program.line { $0.contains(#""status":"paused""#) }
      let value = try JSONReader.value(of: line, source: "line")
      guard let text = value["event"]?["until"]?.string else { return nil }
      let instant = try #require(CalendarTime.parse(text)?.instant, "\(text)")
      return .nanoseconds(instant.nanoseconds)
    }
    let notices = try #require(stage.asked.withLock { $0 })
    for await notice in notices {
      if case .paused(_, let until)? = notice as? DemandStatus { return until }
    }
    Issue.record("the notices contain no pause")
    return nil
  }
}
