import StintModel

/// The lasting signals of services. In contrast to a pulse, which is true only for one step, a lasting signal
/// keeps its value until the contributions of the services change. The table computes the values of the
/// lasting signals for policies, and for facts that scenarios, sites or manifests declare under the names of
/// these signals.
struct SignalTable: Sendable {
  /// The signals that are declared as facts.
  private let declared: [(path: String, schema: FactSchema)]
  /// The last published value of each declared signal, by path.
  private var facts: [String: FactValue] = [:]
  /// The last published value of each lasting signal.
  private var values: [ServiceSignal: FactValue] = [:]

  /// The paths of the lasting signals, sorted.
  static let paths = ServiceSignal.allCases.filter { !$0.isPulse }.map(\.rawValue).sorted()

  init(_ vocabulary: Vocabulary) {
    declared = Self.paths.compactMap { path in vocabulary.schema(path).map { (path, $0) } }
  }

  /// Returns the effects that publish the signals whose values have changed since the last call.
  mutating func changes(of services: ServiceTable) -> [ServiceEffect] {
    var effects: [ServiceEffect] = []
    for (path, schema) in declared {
      let sum = services.sum(ofSignal: path)
      let value: FactValue
      switch schema.type {
      case .boolean: value = .boolean(sum > 0)
      case .quantity: value = .number(sum)
      case .symbol: continue
      }
      guard facts[path] != value else { continue }
      facts[path] = value
      effects.append(.publish(path, value))
    }
    for signal in ServiceSignal.allCases where !signal.isPulse {
      let sum = services.sum(ofSignal: signal.rawValue)
      let value: FactValue = signal.type == .boolean ? .boolean(sum > 0) : .number(sum)
      guard values[signal] ?? signal.rest != value else { continue }
      values[signal] = value
      effects.append(.publishSignal(signal, value))
    }
    return effects
  }
}
