import StintGovernor
import StintLanguage
import StintModel
import StintRuntime
import StintUnits

/// The events of a test as inputs of a host, in order of time.
///
/// A fact that a test sets stays fresh until the test sets it again: the script publishes the value again
/// each time its age reaches the maximum age.
struct TestScript: InputSource {
  private var entries: [(at: Instant, input: Input)] = []
  private var nextEntry = 0
  /// Facts that the test sets. The host ignores the values that devices publish for these facts.
  private(set) var assigned: Set<Int> = []

  init(_ test: CheckedTest, start: Instant, vocabulary: Vocabulary, maxAges: [DeviceID: TimeSpan]) {
    var demands: [(ClientID, DemandID)] = []
    var changesByPath: [String: [(at: TimeSpan, value: FactValue)]] = [:]
    for event in test.events {
      let instant = start + event.at
      switch event.kind {
      case .set(let assignments):
        for assignment in assignments {
          changesByPath[assignment.path, default: []].append((event.at, assignment.value))
        }
      case .attach(let client, let device, let wants):
        let id = DemandID(Int64(demands.count + 1))
        demands.append((client, id))
        entries.append((instant, .raise(Demand(id: id, client: client, target: device, wants: wants))))
      case .detach(let client):
        entries += demands.filter { $0.0 == client }.map { (instant, .release($0.1)) }
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
    // At one instant, demands come first, in the order of the test. Then follow facts, sorted by path.
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
        entries.append((start + at, .fact(fact, change.value)))
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
      inputs.append(entries[nextEntry].input)
      nextEntry += 1
    }
    return inputs
  }
}
