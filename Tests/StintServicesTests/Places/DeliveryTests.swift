import StintModel
import StintServices
import StintTestSupport
import StintUnits
import Testing

/// The delivery of positions to a client when plugins deliver late, twice or out of order.
@Suite struct DeliveryTests {
  /// A service that the test drives directly, with its notices in order.
  private struct BoardBench {
    var board = ServiceBoard(PlacesBench.vocabulary, at: .epoch)
    var demand = DemandID(ServiceBoard.firstDemand)
    var notices: [(at: Instant, notice: MoveNotice)] = []
    var now = Instant.epoch

    init(_ request: MovesRequest) {
      let inputs: [ServiceInput] = [
        .attach("app", permissions: .always, mayBackground: true),
        .ask(ServiceID("app", "moves"), request, receivers: .both),
      ]
      serve(inputs)
    }

    mutating func serve(_ inputs: [ServiceInput]) {
      for effect in board.step(inputs, at: now) {
        switch effect {
        case .raise(let raised): demand = raised.id
        case .notice(_, let notice as MoveNotice): notices.append((now, notice))
        default: break
        }
      }
    }

    mutating func deliver(_ samples: [Sample]) {
      serve([.batch(Batch(device: PlacesBench.wifi, samples: samples, reason: .immediate), [demand])])
    }
  }

  private func sample(_ random: inout SeededRandom, around now: Instant) -> Sample {
    // The sample is late, on time, duplicated or out of order. Sometimes its instant is in the future.
    let offset = Int64(random.number(below: 40)) * 60 - 1800
    let place = PlacesBench.origin.moved(north: Double(random.number(below: 40)) * 500, east: 0)
    let radius = random.number(below: 20) == 0 ? .nan : 50
    return Sample(
      instant: now + .seconds(min(offset, random.number(below: 10) == 0 ? 300 : 0)),
      sequence: UInt64(random.number(below: 5)), place.latitude, place.longitude, radius)
  }

  @Test("R17 R18: with random delays, current positions are fresh and in ascending order")
  func fuzz() {
    var current = 0
    var tooOld = 0
    var unsorted = 0
    var lateCached = 0
    let trials = Trials(10_000)
    for seed in trials.seeds {
      var random = SeededRandom(seed)
      let maxAge = [TimeSpan.zero, .minutes(1), .minutes(10)][random.number(below: 3)]
      var bench = BoardBench(MovesRequest(maxAge: maxAge.duration))
      for _ in 0..<6 {
        bench.now = bench.now + .seconds(Int64(random.number(below: 900)))
        let samples = (0...random.number(below: 4)).map { _ in sample(&random, around: bench.now) }
        bench.deliver(samples)
      }
      var last: Fix?
      for (at, notice) in bench.notices {
        switch notice {
        case .moved(let fixes):
          current += fixes.count
          if fixes.isEmpty { unsorted += 1 }
          for fix in fixes {
            if !(0...maxAge.nanoseconds).contains((at - fix.instant).nanoseconds) { tooOld += 1 }
            if let last, (last.instant, last.sequence) >= (fix.instant, fix.sequence) { unsorted += 1 }
            last = fix
          }
        case .cached(let fix, let age):
          if last != nil { lateCached += 1 }
          if age != (at - fix.instant).duration { tooOld += 1 }
        case .heartbeat, .noEffect: break
        }
      }
    }
    #expect(current > trials.share(of: 10_000))
    #expect(tooOld == 0)
    #expect(unsorted == 0)
    #expect(lateCached == 0)
  }

  @Test("R18: fixes of one instant are ordered by sequence number, and the newest fix is last")
  func ties() {
    var bench = BoardBench(MovesRequest())
    bench.now = .epoch + .seconds(100)
    let place = PlacesBench.origin
    bench.deliver(
      [3, 1, 2, 1].map {
        Sample(instant: bench.now, sequence: $0, place.latitude, place.longitude, 50)
      })
    guard case .moved(let fixes)? = bench.notices.first?.notice else {
      Issue.record("expected a notice")
      return
    }
    #expect(fixes.map(\.sequence) == [1, 2, 3])
  }

  @Test("R17: a position from the future does not hide current positions")
  func future() {
    var bench = BoardBench(MovesRequest())
    bench.now = .epoch + .seconds(100)
    let place = PlacesBench.origin
    bench.deliver([Sample(instant: bench.now + .hours(1), sequence: 9, place.latitude, place.longitude, 50)])
    #expect(bench.notices.isEmpty)
    bench.deliver([Sample(instant: bench.now, sequence: 10, place.latitude, place.longitude, 50)])
    #expect(bench.notices.count == 1)
  }
}

@Suite struct PersistentNoticeTests {
  private static let fix = Fix(
    instant: .epoch, coordinate: PlacesBench.origin, accuracy: 40, device: "location.wifi", sequence: 3)
  private static let visit = Visit(place: PlacesBench.origin, accuracy: 40, arrival: .epoch)
  private static var left: Visit {
    var visit = visit
    visit.departure = .epoch + .hours(1)
    return visit
  }

  @Test("R07: notices that wait for a client are unchanged after a restart")
  func roundTrip() throws {
    for notice: RegionNotice in [.known(region: "a", isInside: true), .entered("b"), .exited("c")] {
      #expect(try SavedText.copy(of: notice) == notice)
    }
    for notice: VisitNotice in [.arrived(Self.visit, receiver: "a"), .departed(Self.left, receiver: "b")] {
      #expect(try SavedText.copy(of: notice) == notice)
    }
    let moves: [MoveNotice] = [
      .moved([Self.fix, Self.fix]), .cached(Self.fix, age: .minutes(4)), .heartbeat, .noEffect(["filter"]),
    ]
    for notice in moves { #expect(try SavedText.copy(of: notice) == notice) }
  }
}
