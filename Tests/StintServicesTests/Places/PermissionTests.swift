import StintModel
import StintServices
import StintTestSupport
import StintUnits
import Testing

@Suite struct PermissionTests {
  static let requests: [(name: String, request: any ServiceRequest)] = [
    ("regions", RegionsRequest([Region("depot", centre: PlacesBench.origin, radius: .meters(150))])),
    ("visits", VisitsRequest()), ("moves", MovesRequest()),
  ]

  @Test("R04: only “always” starts regions, visits and moves", arguments: Authorization.allCases)
  func levels(authorization: Authorization) {
    for (name, request) in Self.requests {
      var bench = PlacesBench()
      bench.serve(.authorize("app", Permissions(authorization)))
      bench.ask(name, request)
      #expect(bench.targets.isEmpty == (authorization != .always))
      let code = authorization == .undecided ? "undecided" : "denied"
      #expect(bench.acts == (authorization == .always ? [] : ["refused \(code)"]))
    }
  }

  @Test(
    "R04: an authorization below “always” ends each service at once, with one failure",
    arguments: [Authorization.denied, .undecided, .whenInUse])
  func lowered(to authorization: Authorization) {
    for (name, request) in Self.requests {
      var bench = PlacesBench()
      bench.activities = [(0, "still")]
      bench.ask(name, request)
      bench.run(to: 500)
      let before = bench.timedNotices.count
      bench.serve(.authorize("app", Permissions(authorization)))
      #expect(bench.targets.isEmpty)
      bench.run(to: 10_000)
      #expect(bench.timedNotices.count == before + 1)
      #expect(bench.notices(ServiceFailure.self).count == 1)
      #expect(bench.board.isEmpty)
    }
  }

  @Test("R21: a denial notifies the user once for all ended services; services of other clients continue")
  func denial() {
    var bench = PlacesBench()
    bench.serve(.attach("other", permissions: .always, mayBackground: true))
    for (name, request) in Self.requests {
      bench.ask(name, request)
      bench.ask(name, request, for: "other")
    }
    bench.run(to: 100)
    bench.serve(.authorize("app", .denied))
    #expect(bench.acts == ["“app” may no longer use your position; services that need it are off"])
    #expect(bench.notices(ServiceFailure.self).map(\.code) == [.denied, .denied, .denied])
    #expect(bench.board.runningServices.map(\.client) == ["other", "other", "other"])
    bench.run(to: 1000)
    #expect(bench.notices(ServiceFailure.self).count == 3)
  }

  @Test(
    "R21: a denial while the app is detached is reported once when the app attaches, even after a restart")
  func denialWhileAway() throws {
    for restarts in [false, true] {
      var bench = PlacesBench()
      for (name, request) in Self.requests { bench.ask(name, request) }
      bench.run(to: 100)
      bench.serve(.detach("app"))
      if restarts { try bench.restart() }
      bench.serve(.authorize("app", .denied))
      #expect(bench.board.runningServices.isEmpty)
      #expect(bench.targets.isEmpty)
      bench.run(to: 200)
      let before = bench.notices(ServiceFailure.self).count
      bench.serve(.attach("app", permissions: .denied, mayBackground: true))
      #expect(bench.notices(ServiceFailure.self).map(\.code) == [.denied, .denied, .denied])
      #expect(before == 0)
      bench.run(to: 10_000)
      #expect(bench.notices(ServiceFailure.self).count == 3)
    }
  }

  @Test("R19: permission is checked before availability, and either check alone rejects a request")
  func guards() {
    for (mayNot, isGone, code) in [
      (true, false, "denied"), (false, true, "unavailable"), (true, true, "denied"),
    ] {
      for (name, request) in Self.requests {
        var bench = PlacesBench()
        if mayNot { bench.serve(.authorize("app", .denied)) }
        if isGone { bench.setAvailable(false) }
        bench.ask(name, request)
        #expect(bench.acts == ["refused \(code)"])
        #expect(bench.targets.isEmpty)
      }
    }
  }

  @Test("X02: after a revocation at any instant there are no further notices and no demands")
  func revoked() {
    var wrong = 0
    for seed in Trials(1000).seeds {
      var random = SeededRandom(seed)
      var bench = PlacesBench { second in (second * 3, 0, 60) }
      bench.activities = [(0, "still"), (400, "automotive"), (700, "still"), (1500, "walking")]
      let (name, request) = Self.requests[random.number(below: 3)]
      bench.ask(name, request)
      bench.run(to: random.unit() * 3000)
      bench.serve(.authorize("app", random.number(below: 2) == 0 ? .denied : .whenInUse))
      let count = bench.timedNotices.count
      let fixCount = bench.fixCount
      bench.run(to: 20_000)
      if bench.timedNotices.count != count || bench.fixCount != fixCount || !bench.targets.isEmpty {
        wrong += 1
      }
    }
    #expect(wrong == 0)
  }
}
