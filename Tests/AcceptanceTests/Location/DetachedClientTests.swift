import StintModel
import StintServices
import StintUnits
import Testing

/// Streams whose clients detach: each stream ends exactly once, at the latest when its client detaches.
@Suite("Streams whose client detaches") struct DetachedClientTests {
  private static let id = ServiceID("app", "way")

  /// Returns a bench with a client in the background that has deferred its fixes for half an hour. The
  /// receiver holds ten fixes.
  private func bench() throws -> Bench {
    let home = try #require(Coordinate(latitude: 47, longitude: 8))
    var bench = try Bench()
    bench.attach("app")
    try bench.publishFact("app.state", "background")
    bench.ask(Self.id, LocationUpdates(accuracy: .meters(10), background: true, pausing: false))
    bench.run(for: .seconds(1))
    bench.fix(home)
    bench.serve(.command(Self.id, LocationCommand.deferUpdates(1, time: .minutes(30))))
    for _ in 0..<10 {
      bench.run(for: .seconds(1))
      bench.fix(home)
    }
    return bench
  }

  @Test("F14 L32: fixes that were held when their client detached are not delivered when it attaches again")
  func held() throws {
    var bench = try bench()
    let before = bench.notices.count
    bench.serve(.detach("app"))
    #expect(bench.ends.map(\.end) == [.detached])
    #expect(bench.board.runningServices.isEmpty)
    bench.run(for: .minutes(50))
    #expect(!bench.isOn)
    bench.attach("app")
    bench.run(for: .minutes(50))
    #expect(bench.notices.count == before)
    #expect(bench.ends.count == 1)
  }

  @Test("F14 L32: a stream ends once when its client ends it and detaches before the last delivery")
  func ending() throws {
    var bench = try bench()
    let before = bench.notices.count
    bench.serve(.end(Self.id), .detach("app"))
    bench.run(for: .minutes(50))
    bench.attach("app")
    let told = bench.notices(LocationNotice.self, Self.id).suffix(bench.notices.count - before)
    #expect(!told.contains { if case .fixes = $0 { true } else { false } })
    #expect(bench.ends.count == 1)
  }

  @Test("L32: a stream that is requested again after a detach does not continue its former deferral")
  func again() throws {
    var bench = try bench()
    bench.serve(.detach("app"))
    bench.run(for: .minutes(40))
    bench.attach("app")
    bench.ask(Self.id, LocationUpdates(accuracy: .meters(10), background: true, pausing: false))
    bench.run(for: .seconds(1))
    bench.fix(try #require(Coordinate(latitude: 47, longitude: 8)))
    bench.serve(.command(Self.id, LocationCommand.deferUpdates(1, time: .minutes(1))))
    let began = bench.now
    bench.run(for: .minutes(2))
    let ends = bench.notices.filter { entry in
      if case .deferralEnded? = entry.notice as? LocationNotice { true } else { false }
    }
    #expect(ends.map(\.at) == [began + .minutes(1)])
  }

  @Test("L27: a deferral whose device holds no samples ends with the reason “full” before memory runs out")
  func memory() throws {
    let vocabulary = try Bench().vocabulary
    var board = ServiceBoard(vocabulary, at: .epoch)
    let background = try #require(vocabulary.schema("app.state")?.value(from: "background"))
    var demands: [DemandID] = []
    var notices: [LocationNotice] = []
    func step(_ inputs: ServiceInput..., at instant: Instant) {
      for effect in board.step(inputs, at: instant) {
        switch effect {
        case .raise(let demand): demands.append(demand.id)
        case .release(let demand), .withdraw(let demand): step(.ended(demand), at: instant)
        case .notice(_, let notice as LocationNotice): notices.append(notice)
        default: break
        }
      }
    }
    let request = LocationUpdates(accuracy: .meters(10), background: true, pausing: false)
    step(
      .attach("app", permissions: .always, mayBackground: true), .fact("app.state", background),
      .ask(Self.id, request, receivers: .both),
      .command(Self.id, LocationCommand.deferUpdates(1, distance: .meters(1e8), time: nil)), at: .epoch)
    for second in 1...8200 as ClosedRange<Int64> {
      let now = Instant.epoch + .seconds(second)
      let sample = Sample(instant: now, sequence: UInt64(second), 47, 8, 4, 0)
      let demand = try #require(demands.last)
      step(.batch(Batch(device: Bench.gnss, samples: [sample], reason: .immediate), [demand]), at: now)
    }
    #expect(notices.contains(.deferralEnded(1, .full)))
    let most = notices.map { if case .fixes(let fixes) = $0 { fixes.count } else { 0 } }.max()
    #expect(most == 8192)
  }
}
