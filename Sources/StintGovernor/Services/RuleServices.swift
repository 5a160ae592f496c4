import StintMachine
import StintModel

/// The services of rules: the directives that start a service, and the services that run at present.
struct RuleServices: Sendable {
  /// The services that run at present, sorted.
  private(set) var running: [RuleService] = []
  /// The directives of the image that run a service.
  private var directives: [Int] = []

  /// True when no rule can run a service and no service runs.
  var isEmpty: Bool { directives.isEmpty && running.isEmpty }

  /// Replaces the directives by the directives of other policies. Running services continue until `update`.
  mutating func migrate(to prepared: PreparedProgram) {
    directives = prepared.index.services
  }

  /// Starts and stops services according to the directives in force. Returns true when a service started or
  /// stopped.
  mutating func update(_ rules: RuleEngine, _ effects: inout [Effect]) -> Bool {
    let wanted = wanted(by: rules)
    guard wanted != running else { return false }
    for ruleService in running where !wanted.contains(ruleService) { effects.append(.ceased(ruleService)) }
    for ruleService in wanted where !running.contains(ruleService) { effects.append(.began(ruleService)) }
    running = wanted
    return true
  }

  private func wanted(by rules: RuleEngine) -> [RuleService] {
    guard let image = rules.image else { return [] }
    var wanted: Set<RuleService> = []
    for index in directives where rules.inForce[index] {
      let directive = image.directives[index].directive
      switch directive.action {
      case .serve(let word):
        for target in directive.targets {
          wanted.insert(RuleService(word, on: word.isWatched ? target : nil, rule: directive.rule))
        }
      case .resume(let start): wanted.insert(RuleService(start, rule: directive.rule))
      default: continue
      }
    }
    return wanted.sorted()
  }
}
