import StintMachine
import StintModel

/// The rule services are the services that rules run: which directives name one, and which run now.
struct RuleServices: Sendable {
  /// The services that run now, sorted.
  private(set) var leases: [ServiceLease] = []
  /// Directives of the image that have a service run.
  private var directives: [Int] = []

  /// Whether no rule has a service run, and none runs.
  var isEmpty: Bool { directives.isEmpty && leases.isEmpty }

  /// Goes over to the directives of other policies; what runs goes on until `update`.
  mutating func migrate(to prepared: PreparedProgram) {
    directives = prepared.index.services
  }

  /// Begins and ends services by what is in force; true where one began or ended.
  mutating func update(_ rules: RuleEngine, _ effects: inout [Effect]) -> Bool {
    let wanted = wanted(by: rules)
    guard wanted != leases else { return false }
    for lease in leases where !wanted.contains(lease) { effects.append(.ceased(lease)) }
    for lease in wanted where !leases.contains(lease) { effects.append(.began(lease)) }
    leases = wanted
    return true
  }

  private func wanted(by rules: RuleEngine) -> [ServiceLease] {
    guard let image = rules.image else { return [] }
    var wanted: Set<ServiceLease> = []
    for index in directives where rules.inForce[index] {
      let directive = image.directives[index].directive
      switch directive.action {
      case .serve(let word):
        for target in directive.targets {
          wanted.insert(ServiceLease(word, on: word.isWatched ? target : nil, rule: directive.rule))
        }
      case .resume(let start): wanted.insert(ServiceLease(start, rule: directive.rule))
      default: continue
      }
    }
    return wanted.sorted()
  }
}
