import StintModel
import StintServices
import StintUnits
import Testing

@Suite struct VisitTests {
  /// Returns a `PlacesBench` after a day. The day consists of an hour at home, a walk of 20 minutes, a stay
  /// at the office, and the walk back home. The stay contains a short walk inside.
  private func day(_ prepare: (inout PlacesBench) -> Void = { _ in }) -> PlacesBench {
    var bench = PlacesBench { second in
      switch second {
      case ..<3600: (0, 0, 60)
      case ..<4800: ((second - 3600) * 1.5, 0, 60)
      case ..<14_400: (1800, 0, 60)
      case ..<15_600: (1800 - (second - 14_400) * 1.5, 0, 60)
      default: (0, 0, 60)
      }
    }
    bench.activities = [
      (0, "still"), (3600, "walking"), (4800, "still"), (8000, "walking"), (8300, "still"),
      (14_400, "walking"), (15_600, "still"),
    ]
    prepare(&bench)
    bench.run(to: 20_000)
    return bench
  }

  private func lines(_ bench: PlacesBench) -> [String] {
    bench.notices(VisitNotice.self).map { notice in
      switch notice {
      case .arrived(let visit, let receiver): "\(receiver) arrived \(Int((visit.arrival - .epoch).seconds))"
      case .departed(let visit, let receiver):
        "\(receiver) left \(visit.departure.map { Int(($0 - .epoch).seconds) } ?? -1)"
      }
    }
  }

  private static let story = ["arrived 0", "left 3600", "arrived 4800", "left 14400", "arrived 15600"]

  @Test("R05: stays are reported after a delay, with their true times; a walk inside is no departure")
  func visits() throws {
    let bench = day { $0.ask("visits", VisitsRequest()) }
    #expect(lines(bench) == Self.story.map { "app \($0)" })
    #expect(bench.timedNotices.first?.second == 300)
    guard case .arrived(let visit, _)? = bench.notices(VisitNotice.self).first else {
      Issue.record("expected an arrival")
      return
    }
    #expect(visit.departure == nil)
  }

  @Test("R05: without movement sensing, probes determine the times of visits to within five minutes")
  func withoutMovementSensing() {
    let bench = day { bench in
      bench.activities = []
      bench.serve(.device("motion.accelerometer", .available(false)))
      bench.ask("visits", VisitsRequest())
    }
    let reported = lines(bench).compactMap { $0.split(separator: " ").last.flatMap { Int($0) } }
    #expect(reported.count == 5)
    for (second, expected) in zip(reported, [0, 3600, 4800, 14_400, 15_600]) {
      #expect(abs(second - expected) <= 300)
    }
  }

  @Test("R06: one start and one end apply to all receivers of the app, and to no other app")
  func receivers() {
    var bench = day { bench in
      bench.serve(.attach("other", permissions: .always, mayBackground: true))
      bench.ask("visits", VisitsRequest(receivers: ["map"]))
      bench.ask("visits", VisitsRequest(receivers: ["diary"]))
      bench.serve(.command(ServiceID("app", "visits"), VisitCommand.listen("diary")))
      bench.serve(.command(ServiceID("app", "visits"), VisitCommand.listen("diary")))
    }
    #expect(bench.acts.contains("refused duplicate"))
    #expect(lines(bench) == Self.story.flatMap { ["map \($0)", "diary \($0)"] })
    bench.serve(.end(ServiceID("app", "visits")))
    #expect(bench.board.runningServices.isEmpty)
    #expect(bench.targets.isEmpty)
  }

  @Test("R08: the end of the service causes no departure, and no demand or notice follows")
  func end() {
    var bench = PlacesBench()
    bench.activities = [(0, "still"), (5000, "walking")]
    bench.ask("visits", VisitsRequest())
    bench.run(to: 1000)
    bench.serve(.end(ServiceID("app", "visits")))
    bench.run(to: 86_400)
    #expect(lines(bench) == ["app arrived 0"])
    #expect(bench.targets.isEmpty)
    #expect(bench.fixCount == 1)
  }

  @Test("R05: stops of 100 s are no visits; a stop of 150 s at a known place is a visit")
  func redLights() {
    var bench = PlacesBench { second in (second * 10, 0, 60) }
    for stop in 0..<20 {
      bench.activities += [(Double(stop) * 300, "automotive"), (Double(stop) * 300 + 200, "still")]
    }
    bench.activities.append((5890, "automotive"))
    bench.ask("visits", VisitsRequest())
    bench.run(to: 20_000)
    #expect(lines(bench).isEmpty)
    var regular = PlacesBench { second in
      second.truncatingRemainder(dividingBy: 7200) < 3600 ? (0, 0, 60) : (9000, 0, 60)
    }
    regular.activities = [(0, "still"), (3600, "automotive"), (7200, "still")]
    for day in 1...3 {
      regular.activities += [
        (Double(day) * 7200 + 3600, "automotive"), (Double(day + 1) * 7200, "still"),
      ]
    }
    regular.activities += [(28_800 + 150, "automotive")]
    regular.ask("visits", VisitsRequest())
    regular.run(to: 30_000)
    #expect(lines(regular).contains("app arrived 28800"))
  }

  @Test("R07: the open visit and the known places survive a restart; invalid state is rejected")
  func saved() throws {
    let saved =
      #"{"receivers":["diary"],"tracker":{"visit":{"place":[47.0,8.0],"accuracy":50.0,"#
      + #""arrival":"1969-12-31T23:59:59.999999995Z"},"known":[{"place":[47.0,8.0],"visits":4}]}}"#
    let service = try SavedText.value(VisitsService.self, saved)
    #expect(try SavedText.text(of: service) == saved)
    var bench = PlacesBench { _ in (4000, 0, 60) }
    bench.activities = [(0, "still")]
    bench.ask("visits", RestoredRequest(service: service))
    bench.run(to: 1000)
    #expect(lines(bench) == ["diary left 0", "diary arrived 0"])
    #expect(throws: Problem.self) { try SavedText.value(VisitsService.self, #"{"receivers":[]}"#) }
  }
}
