import StintModel
import StintServices
import StintTestSupport
import StintUnits
import Testing

@Suite struct BeaconTests {
  private static let dock = BeaconRegion("dock", identity: "dock", major: 10)
  private static let id = ServiceID("app", "dock")
  private static let vocabulary = Vocabulary(manifests: [
    Manifest(
      device: "radio.ble", kind: .sensor, title: "Scanner",
      states: [PowerState(name: "off", power: .zero, isOn: false)], initial: 0, safe: 0,
      facts: [FactSchema(path: "beacon.dock.10", type: .boolean, maxAge: .minutes(6))])
  ])

  /// A `ServiceBoard` that the test drives directly. `log` contains the notices of the board, each with its
  /// second.
  private struct BoardBench {
    var board = ServiceBoard(BeaconTests.vocabulary, at: .epoch)
    var log: [String] = []
    var demand = DemandID(0)
    var wants = DemandSettings()
    var now = 0.0

    init(_ request: any ServiceRequest, _ permissions: Permissions = .always) {
      serve(.attach("app", permissions: permissions, mayBackground: true))
      serve(.ask(BeaconTests.id, request, receivers: .both))
    }

    mutating func at(_ second: Double, _ inputs: ServiceInput...) {
      while board.nextTimer <= Instant(nanoseconds: Int64(second * 1e9)) {
        now = Double(board.nextTimer.nanoseconds) / 1e9
        perform(board.step([], at: board.nextTimer))
      }
      now = second
      perform(board.step(inputs, at: Instant(nanoseconds: Int64(second * 1e9))))
    }

    mutating func serve(_ input: ServiceInput) { perform(board.step([input], at: .epoch)) }

    mutating func detect(_ isInRange: Bool, at second: Double) {
      at(second, .fact("beacon.dock.10", .boolean(isInRange)))
    }

    mutating func signal(_ strength: Double, at second: Double) {
      let sample = Sample(
        instant: Instant(nanoseconds: Int64(second * 1e9)), sequence: 0, 0, strength, 5)
      at(second, .batch(Batch(device: "radio.ble", samples: [sample], reason: .immediate), [demand]))
    }

    private mutating func perform(_ effects: [ServiceEffect]) {
      for effect in effects {
        switch effect {
        case .raise(let raised):
          demand = raised.id
          wants = raised.wants
        case .notice(_, let notice as BeaconNotice): log.append("\(now) \(notice)")
        case .notice(_, .ranged(let proximity, _) as RangingNotice): log.append("\(now) \(proximity)")
        case .notice(_, .ended as RangingNotice): log.append("\(now) ended")
        case .notice(_, let failure as ServiceFailure): log.append("\(now) \(failure.code.name)")
        case .refused(_, let failure): log.append("refused \(failure.code.name)")
        default: break
        }
      }
    }
  }

  @Test("R02: a signal gap below the exit delay is no exit; without an available radio, the state is unknown")
  func silence() {
    var bench = BoardBench(BeaconsRequest([Self.dock]))
    bench.detect(true, at: 10)
    bench.detect(false, at: 100)
    bench.detect(true, at: 129)
    bench.detect(false, at: 200)
    bench.at(229)
    #expect(bench.log == ["10.0 known(region: \"dock\", isInside: true)"])
    bench.at(230)
    bench.detect(true, at: 300)
    #expect(bench.log.dropFirst() == ["230.0 exited(\"dock\")", "300.0 entered(\"dock\")"])
    bench.detect(false, at: 400)
    bench.at(410, .device("radio.ble", .available(false)))
    bench.at(900, .device("radio.ble", .available(true)))
    bench.detect(true, at: 910)
    #expect(
      bench.log.suffix(3) == [
        "410.0 unknown(\"dock\")", "410.0 unavailable", "910.0 known(region: \"dock\", isInside: true)",
      ])
  }

  @Test("R02: entries and exits alternate although packets are lost")
  func alternate() {
    var wrong = 0
    for seed in Trials(2000).seeds {
      var random = SeededRandom(seed)
      var bench = BoardBench(BeaconsRequest([Self.dock]))
      var second = 0.0
      for _ in 0..<40 {
        second += 10
        bench.detect(random.number(below: 3) > 0, at: second)
      }
      let crossings = bench.log.filter { !$0.contains("known") }
      let words = crossings.map { $0.contains("entered") }
      if zip(words, words.dropFirst()).contains(where: { $0 == $1 }) { wrong += 1 }
    }
    #expect(wrong == 0)
  }

  @Test(
    "R02 R23: invalid requests are rejected",
    arguments: [
      BeaconRegion("a", identity: "a", major: 70_000), BeaconRegion("a", identity: "a", minor: 3),
      BeaconRegion("a", identity: "a", exitAfter: .seconds(-1)),
    ])
  func malformed(region: BeaconRegion) {
    #expect(BoardBench(BeaconsRequest([region])).log == ["refused invalid"])
    #expect(BoardBench(RangingRequest(region)).log == ["refused invalid"])
    #expect(BoardBench(BeaconsRequest([])).log == ["refused invalid"])
    #expect(BoardBench(BeaconsRequest([Self.dock, Self.dock])).log == ["refused invalid"])
  }

  @Test("R23: a noisy signal that rises and falls passes each proximity class once in each direction")
  func ramp() {
    var bench = BoardBench(RangingRequest(Self.dock), .whenInUse)
    #expect(bench.wants.period == .seconds(10))
    bench.detect(true, at: 10)
    #expect(bench.wants.period == .seconds(1))
    var random = SeededRandom(7)
    for step in 0..<240 {
      let ramp = step < 120 ? -90 + Double(step) * 0.35 : -48 - Double(step - 120) * 0.35
      bench.signal(ramp + random.normal(), at: 11 + Double(step))
    }
    bench.at(300)
    var classes: [String] = []
    for word in bench.log.compactMap({ $0.split(separator: " ").last.map(String.init) })
    where classes.last != word { classes.append(word) }
    #expect(classes == ["far", "near", "immediate", "near", "far", "ended"])
    #expect(bench.log.last == "260.0 ended")
    #expect(bench.wants.period == .seconds(10))
  }

  @Test("R02: the regions survive a restart; invalid state is rejected")
  func saved() throws {
    let service = try #require(BeaconsRequest([Self.dock]).makeService() as? BeaconsService)
    let saved = try SavedText.text(of: service)
    #expect(try SavedText.text(of: SavedText.value(BeaconsService.self, saved)) == saved)
    for text in [
      #"{"regions":[]}"#, #"{"regions":[{"name":"a\n","identity":"f7826da6","exit_after":"1 s"}]}"#,
    ] {
      #expect(try !SavedText.value(BeaconsService.self, text).isValid)
    }
    for notice: BeaconNotice in [
      .known(region: "a", isInside: false), .entered("a"), .exited("a"), .unknown("a"),
    ] { #expect(try SavedText.copy(of: notice) == notice) }
  }
}
