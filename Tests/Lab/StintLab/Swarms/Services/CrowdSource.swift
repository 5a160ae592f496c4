import StintDaemon
import StintGovernor
import StintModel
import StintRuntime
import StintServices
import StintTools
import StintUnits

/// An input source with the inputs of a scenario's script and the actions of a swarm's clients, in
/// order of time.
struct CrowdSource: InputSource {
  private var script: ScriptSource
  private let crowd: SwarmCrowd
  private let vocabulary: Vocabulary
  /// The disk, which records the daemon's crash; a crashed daemon receives no inputs.
  private let disk: SwarmDisk
  /// The start of this daemon. Actions that clients perform while no daemon runs reach this daemon at its
  /// start.
  private let begin: Instant
  /// Called with the inputs of services before the services receive them.
  private let listener: @Sendable ([ServiceInput], Instant) -> Void
  /// The inputs of services that `drain()` found and that `drainServiceInputs()` has not returned yet.
  private var serviceInputs: [ServiceInput] = []

  init(
    _ script: ScriptSource, _ crowd: SwarmCrowd, vocabulary: Vocabulary, from begin: Instant,
    until disk: SwarmDisk,
    listener: @escaping @Sendable ([ServiceInput], Instant) -> Void
  ) {
    self.script = script
    self.crowd = crowd
    self.vocabulary = vocabulary
    self.disk = disk
    self.begin = begin
    self.listener = listener
  }

  var assigned: Set<Int> { script.assigned }

  var nextInstant: Instant? {
    if disk.hasCrashed { return nil }
    guard let next = crowd.nextInstant else { return script.nextInstant }
    return min(next, script.nextInstant ?? .distantFuture)
  }

  mutating func drain() -> [Input] {
    guard let instant = nextInstant else { return [] }
    var inputs: [Input] = []
    if script.nextInstant == instant {
      inputs = script.drain()
      serviceInputs += script.drainServiceInputs()
    }
    let acts = crowd.take(at: instant)
    for (path, text) in acts.facts {
      guard let fact = vocabulary.fact(path), let value = vocabulary.facts[fact].value(from: text) else {
        continue
      }
      inputs.append(.fact(fact, value))
    }
    serviceInputs += acts.services
    if !serviceInputs.isEmpty, !disk.hasCrashed { listener(serviceInputs, max(instant, begin)) }
    return inputs
  }

  mutating func drainServiceInputs() -> [ServiceInput] {
    defer { serviceInputs = [] }
    return serviceInputs
  }
}
