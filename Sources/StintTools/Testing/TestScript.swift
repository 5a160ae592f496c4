import StintGovernor
import StintLanguage
import StintModel
import StintRuntime
import StintServices
import StintUnits

/// The events of a test as inputs of a host, in order of time.
///
/// A fact with a value from a test stays fresh until the test changes the fact: the value is published again
/// whenever the age of the fact reaches the maximum age.
struct TestScript: InputSource {
  private enum Entry {
    case fact(Input)
    case client(ServiceInput)
  }

  private var entries: [(at: Instant, entry: Entry)] = []
  /// The inputs that `drain()` found and that `drainServiceInputs()` has not returned yet.
  private var serviceInputs: [ServiceInput] = []
  private var nextEntry = 0
  /// The facts with values from the test. The host ignores the values that devices publish for these facts.
  private(set) var assigned: Set<Int> = []

  init(_ test: CheckedTest, start: Instant, vocabulary: Vocabulary, maxAges: [DeviceID: TimeSpan]) {
    var demandCount: Int64 = 0
    var changesByPath: [String: [(at: TimeSpan, value: FactValue)]] = [:]
    for event in test.events {
      let instant = start + event.at
      switch event.kind {
      case .set(let assignments):
        for assignment in assignments {
          changesByPath[assignment.path, default: []].append((event.at, assignment.value))
        }
      case .attach(let client, let device, let wants):
        demandCount += 1
        let demand = Demand(id: DemandID(demandCount), client: client, target: device, wants: wants)
        entries.append((instant, .client(.attach(client, permissions: .always, mayBackground: true))))
        entries.append((instant, .client(.samples(demand))))
      case .detach(let client): entries.append((instant, .client(.detach(client))))
      case .reload: continue
      }
    }
    for path in changesByPath.keys.sorted() {
      guard let fact = vocabulary.fact(path), let changes = changesByPath[path] else { continue }
      assigned.insert(fact)
      let schema = vocabulary.facts[fact]
      var maxAge = schema.maxAge
      if maxAge != nil, let age = schema.device.flatMap({ maxAges[$0] }) { maxAge = min(maxAge ?? age, age) }
      publish(fact, changes, until: test.end, from: start, every: maxAge)
    }
    // Entries at one instant keep their order: clients in the order of the test, then facts, sorted by path.
    entries = entries.enumerated().sorted { ($0.element.at, $0.offset) < ($1.element.at, $1.offset) }
      .map(\.element)
  }

  private mutating func publish(
    _ fact: Int, _ changes: [(at: TimeSpan, value: FactValue)], until end: TimeSpan, from start: Instant,
    every maxAge: TimeSpan?
  ) {
    for (number, change) in changes.enumerated() {
      let next = number + 1 < changes.count ? changes[number + 1].at : end + TimeSpan(nanoseconds: 1)
      var at = change.at
      repeat {
        entries.append((start + at, .fact(.fact(fact, change.value))))
        guard let maxAge, maxAge > .zero, change.value != .unknown else { break }
        at = at + maxAge
      } while at < next
    }
  }

  var nextInstant: Instant? { nextEntry < entries.count ? entries[nextEntry].at : nil }

  mutating func drain() -> [Input] {
    guard let instant = nextInstant else { return [] }
    var inputs: [Input] = []
    while nextEntry < entries.count, entries[nextEntry].at == instant {
      switch entries[nextEntry].entry {
      case .fact(let input): inputs.append(input)
      case .client(let input): serviceInputs.append(input)
      }
      nextEntry += 1
    }
    return inputs
  }

  mutating func drainServiceInputs() -> [ServiceInput] {
    defer { serviceInputs = [] }
    return serviceInputs
  }
}
