import StintModel
import StintServices
import StintUnits
import Testing

@Suite struct MoveTests {
  private func moved(_ bench: PlacesBench) -> [(second: Double, fixes: [Fix])] {
    bench.timedNotices.compactMap { word in
      guard case .moved(let fixes) = word.notice as? MoveNotice else { return nil }
      return (word.second, fixes)
    }
  }

  @Test("R14: a day without movement causes 95 to 97 wake-ups and one reported position")
  func desk() {
    var bench = PlacesBench()
    bench.ask("moves", MovesRequest())
    bench.run(to: 86_400)
    #expect(moved(bench).count == 1)
    #expect((95...97).contains(bench.fixCount + bench.wakes))
    #expect(bench.notices(MoveNotice.self).filter { $0 == .heartbeat }.count == 96)
  }

  @Test("R20: pausing makes probes rare and keeps heartbeats; without a heartbeat, no wake-ups are requested")
  func pausing() {
    var bench = PlacesBench()
    bench.ask("moves", MovesRequest(pausing: true))
    bench.run(to: 8 * 3600)
    #expect(bench.notices(MoveNotice.self).filter { $0 == .heartbeat }.count == 32)
    #expect(bench.fixCount <= 10)
    #expect((31...33).contains(bench.fixCount + bench.wakes))
    var quiet = PlacesBench()
    quiet.ask("moves", MovesRequest(heartbeat: nil, pausing: true))
    quiet.run(to: 8 * 3600)
    #expect(quiet.wakes == 0)
    #expect(quiet.notices(MoveNotice.self).count == 1)
  }

  @Test("R20: a paused service resumes within an hour, or within 50 s of an activity with movement")
  func resume() {
    for (isShown, latest) in [(false, 7200.0), (true, 3700.0)] {
      var bench = PlacesBench { second in second < 3600 ? (0, 0, 60) : (5000, 0, 60) }
      if isShown { bench.activities = [(3650, "automotive")] }
      bench.ask("moves", MovesRequest(pausing: true))
      bench.run(to: 10_000)
      #expect((3600...latest).contains(moved(bench).last?.second ?? 0))
    }
  }

  @Test("R10: two starts, a stop and a third start give two initial positions")
  func starts() {
    var bench = PlacesBench()
    let id = ServiceID("app", "moves")
    bench.ask("moves", MovesRequest())
    bench.ask("moves", MovesRequest())
    bench.run(to: 100)
    bench.serve(.end(id))
    bench.run(to: 200)
    bench.ask("moves", MovesRequest())
    bench.run(to: 1000)
    #expect(moved(bench).map(\.second) == [0, 200])
  }

  @Test("R11: a trip of 499 m and back is not reported as a move", arguments: 0..<50 as Range<UInt64>)
  func near(seed: UInt64) {
    var random = SeededRandom(seed)
    var bench = PlacesBench { second in
      let accuracy = 40 + 110 * random.unit()
      let noise = accuracy / 2.42
      let way = second < 3600 ? min(second, 3600 - second) * 499 / 1800 : 0
      return (way + noise * random.normal(), noise * random.normal(), accuracy)
    }
    bench.ask("moves", MovesRequest())
    bench.run(to: 7200)
    #expect(moved(bench).count == 1)
  }

  @Test("R11: on a drive of 20 km, reported positions are at least 500 m and five minutes apart")
  func car() {
    var bench = PlacesBench { second in (min(max(0, second - 600) * 60 / 3.6, 20_000), 0, 60) }
    bench.activities = (0..<40).map { (second: Double($0) * 30 + 600, name: "automotive") }
    bench.ask("moves", MovesRequest())
    bench.run(to: 7200)
    let reported = moved(bench)
    #expect(reported.count >= 4)
    for (before, after) in zip(reported, reported.dropFirst()) {
      #expect(after.second - before.second >= 300)
      guard let from = before.fixes.last, let to = after.fixes.last else { continue }
      #expect(from.coordinate.distance(to: to.coordinate) >= 500)
    }
  }

  @Test("X01: for a client with coarse positions, probes are coarse; a new permission changes their accuracy")
  func coarse() {
    var board = ServiceBoard(PlacesBench.vocabulary, at: .epoch)
    func accuracies(_ inputs: ServiceInput...) -> [Double?] {
      board.step(inputs, at: .epoch).compactMap { effect -> Double?? in
        if case .raise(let demand) = effect { demand.wants.accuracy } else { nil }
      }
    }
    let coarse = Permissions(precision: .coarse)
    let id = ServiceID("app", "moves")
    #expect(
      accuracies(
        .attach("app", permissions: coarse, mayBackground: true),
        .ask(id, MovesRequest(), receivers: .both)) == [3000])
    #expect(accuracies(.authorize("app", .always)) == [nil])
    #expect(accuracies(.authorize("app", coarse)) == [3000])
    #expect(accuracies(.authorize("app", .denied)).isEmpty)
  }

  @Test("R13: accuracy and filter have no effect, and a notice reports this")
  func noEffect() {
    let settings: [(Length?, Length?)] = [
      (nil, nil), (.meters(1), .meters(5)), (.kilometers(10), .kilometers(10)),
    ]
    let runs = settings.map { accuracy, filter in
      var bench = PlacesBench { second in (second * 2, 0, 60) }
      bench.ask("moves", MovesRequest(accuracy: accuracy, filter: filter))
      bench.run(to: 20_000)
      return bench
    }
    #expect(runs[0].notices(MoveNotice.self).allSatisfy { if case .noEffect = $0 { false } else { true } })
    #expect(runs[1].notices(MoveNotice.self).first == .noEffect(["accuracy", "filter"]))
    let logs = runs.map { run in
      run.notices(MoveNotice.self).filter { if case .noEffect = $0 { false } else { true } }
    }
    #expect(logs[0].count > 5)
    #expect(logs[0] == logs[1])
    #expect(logs[0] == logs[2])
  }

  @Test("R16 W5: a position forty minutes old is reported once, with its age, before the fresh position")
  func cached() throws {
    var bench = PlacesBench { _ in (3000, 0, 60) }
    for (name, value) in [("latitude", 47.0), ("longitude", 8.0), ("accuracy", 10.0)] {
      bench.serve(.known("location.wifi.\(name)", .number(value), since: .epoch))
    }
    bench.run(to: 2400)
    bench.ask("moves", MovesRequest())
    bench.run(to: 10_000)
    let notices = bench.notices(MoveNotice.self)
    guard case .cached(let fix, let age)? = notices.first else {
      Issue.record("expected a cached position first")
      return
    }
    #expect(age == .minutes(40))
    #expect(fix.accuracy == 10)
    #expect(bench.timedNotices.first?.second == 2400)
    guard case .moved(let fixes)? = notices.dropFirst().first else {
      Issue.record("expected a fresh position next")
      return
    }
    #expect(fixes.last?.instant == Instant.epoch + .seconds(2400))
    #expect(notices.filter { if case .cached = $0 { true } else { false } }.count == 1)
  }

  @Test("R22: ten minutes without the positioning device give two failures, then the service recovers")
  func failures() {
    var bench = PlacesBench()
    bench.ask("moves", MovesRequest())
    bench.run(to: 1000)
    bench.setAvailable(false)
    bench.run(to: 1599.999)
    bench.setAvailable(true)
    bench.run(to: 10_000)
    #expect(bench.notices(ServiceFailure.self).map(\.code) == [.unavailable, .unavailable])
    #expect(bench.board.runningServices.count == 1)
    #expect(bench.fixCount >= 10)
  }

  @Test("R17: requests beyond the limits are refused")
  func malformed() {
    var bench = PlacesBench()
    bench.ask("moves", MovesRequest(maxAge: .seconds(-1)))
    bench.ask("moves", MovesRequest(maxAge: .hours(24 * 366 * 71)))
    bench.ask("moves", MovesRequest(heartbeat: .seconds(1)))
    bench.ask("moves", MovesRequest(heartbeat: .hours(24 * 366 * 71)))
    #expect(bench.acts == Array(repeating: "refused invalid", count: 4))
  }

  @Test("R15: after a restart, movement counts from the last reported position; invalid state is rejected")
  func saved() throws {
    let fix =
      #"{"place":[47.0,8.0],"accuracy":50.0,"determined":"1969-12-31T23:59:59.999999991Z","sequence":3,"#
      + #""device":"location.wifi"}"#
    let saved =
      #"{"request":{"heartbeat":"15 min","pausing":true,"max_age":"10 min"},"delivered":\#(fix),"#
      + #""delivered_at":"1969-12-31T23:59:59.999999991Z"}"#
    let service = try SavedText.value(MovesService.self, saved)
    #expect(try SavedText.text(of: service) == saved)
    #expect(service.isValid)
    var bench = PlacesBench()
    bench.ask("moves", RestoredRequest(service: service))
    bench.run(to: 3000)
    #expect(moved(bench).isEmpty)
    for request in [
      #"{"pausing":true,"max_age":"-1 s"}"#, #"{"pausing":true,"max_age":"1 s"},"delivered":\#(fix)"#,
    ] {
      #expect(try !SavedText.value(MovesService.self, #"{"request":\#(request)}"#).isValid)
    }
  }
}
