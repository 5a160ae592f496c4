import StintModel
import StintUnits
import Testing

@testable import StintGovernor

@Suite("The device table, without a governor") struct DeviceTableTests {
  private static let vocabulary = Vocabulary(manifests: GovernorBench.manifests)
  private let start = Instant(nanoseconds: 1_000_000_000_000)
  private let sensor = vocabulary.device("test.sensor") ?? -1
  private let radio = vocabulary.device("test.radio") ?? -1
  private let wifi = vocabulary.device("test.wifi") ?? -1

  private func marked(_ table: inout DeviceTable, _ work: DeviceAgenda.Work) -> [Int] {
    guard table.beginRound(work) else { return [] }
    return table.indices.filter { table.removeMark($0, work) }
  }

  @Test(
    "a new demand marks its device for new grants; the end of a demand marks its provider for a new setting")
  func demands() {
    var table = DeviceTable(Self.vocabulary)
    var demands = DemandTable()
    let later = demands.add(
      DemandTableTests.demand(DemandID(7)), completed: DemandSettings(), on: radio, at: start)
    let sooner = demands.add(
      DemandTableTests.demand(DemandID(3)), completed: DemandSettings(), on: radio, at: start)
    table.ask(radio, later)
    table.ask(radio, sooner)
    #expect(table[radio].requested == [sooner, later])
    var found = marked(&table, .grants)
    #expect(found == [radio])
    table.serve(wifi, sooner)
    table.endServing(wifi, sooner)
    found = marked(&table, .setting)
    #expect(found == [wifi] && table[wifi].served.isEmpty)
    let changes = [table.changeOfDemand(on: radio), table.changeOfDemand(on: radio)]
    #expect(changes == [true, nil] && table.demanded == ["test.radio"])
  }

  @Test("the provider is the cheapest available device of a ladder; changed availability marks the ladder")
  func ladder() {
    var table = DeviceTable(Self.vocabulary)
    #expect(table.provider(for: radio, accuracy: nil) == wifi)
    #expect(table.provider(for: wifi, accuracy: nil) == wifi)
    let changes = [table.set(isAvailable: false, of: wifi), table.set(isAvailable: false, of: wifi)]
    #expect(changes == [true, false])
    let found = marked(&table, .grants)
    #expect(found == [radio, wifi])
    #expect(table.provider(for: radio, accuracy: nil) == radio)
    #expect(table.provider(for: wifi, accuracy: nil) == nil)
    let beyond = table.set(isAvailable: false, of: 99)
    #expect(!beyond)
  }

  @Test("a sensor that reports off loses the cause of its setting, and a radio keeps this cause")
  func causes() {
    var table = DeviceTable(Self.vocabulary)
    for device in [sensor, radio] {
      let name = table[device].manifest.device
      table.set(Cause(device: name, links: [], setting: Setting(isOn: true)), of: device)
      table.report(device, state: 1, period: nil)
      #expect(table[device].isOn && table[device].cause != nil)
      table.report(device, state: 0, period: nil)
    }
    #expect(table[sensor].cause == nil && table[radio].cause != nil)
  }

  @Test("a fault lasts until the device delivers or reports a state, and its text is kept")
  func faults() {
    var table = DeviceTable(Self.vocabulary)
    table.fail(sensor, "no antenna", at: .epoch)
    table.fail(sensor, "no sky", at: .epoch)
    let ends = [table.recover(sensor), table.recover(sensor)]
    #expect(ends == [true, false])
    table.fail(sensor, "no power", at: .epoch)
    table.report(sensor, state: 0, period: nil)
    #expect(
      !table[sensor].hasFault && table[sensor].faults.count == 3
        && table[sensor].faults.lastText == "no power")
  }

  @Test("the end of a linger is reported once, at its instant, and removes the timer of its device")
  func linger() {
    var table = DeviceTable(Self.vocabulary)
    let end = start + .seconds(5)
    table.linger(sensor, until: end)
    table.setTimer(sensor, to: end)
    var next = table.nextTimer()
    #expect(next == end && table.hasExpired(sensor, at: end) && !table.hasExpired(radio, at: end))
    let ends = [start, end, end].map { table.endLinger(sensor, at: $0) }
    #expect(ends == [false, true, false])
    next = table.nextTimer()
    #expect(next == .distantFuture)
  }

  @Test("the odometer of a device is the value of its `distance` fact")
  func odometer() throws {
    let table = DeviceTable(Self.vocabulary)
    let fact = try #require(Self.vocabulary.fact("test.sensor.distance"))
    var facts = FactTable(count: Self.vocabulary.facts.count)
    #expect(table.odometer(of: sensor, facts) == nil && table.watcher(of: fact) == sensor)
    facts.set(fact, .number(12), at: start)
    #expect(table.odometer(of: sensor, facts) == 12 && table.odometer(of: radio, facts) == nil)
    #expect(table.watcher(of: try #require(Self.vocabulary.fact("battery.level"))) == nil)
  }
}
