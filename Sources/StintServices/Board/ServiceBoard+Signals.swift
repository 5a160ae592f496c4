import StintModel

extension ServiceBoard {
  /// Facts that services make together, where a scenario, a site or a manifest declares them: a quantity is the sum of
  /// what they add, and a truth is whether that is more than nothing.
  public static let signalPaths = [
    "net.auth_needed", "net.failed", "net.session_done", "orientation.observers", "orientation.on",
  ]

  /// Says what became of the facts that services make together.
  mutating func publishSignals() {
    for (path, schema) in declaredSignals {
      let sum = services.values.reduce(0) { $0 + ($1.service.signals[path] ?? 0) }
      let value: FactValue
      switch schema.type {
      case .boolean: value = .boolean(sum > 0)
      case .quantity: value = .number(sum)
      case .symbol: continue
      }
      guard signalled[path] != value else { continue }
      signalled[path] = value
      effects.append(.publish(path, value))
    }
    for signal in ServiceSignal.allCases where !signal.isPulse {
      let sum = services.values.reduce(0) { $0 + ($1.service.signals[signal.rawValue] ?? 0) }
      let value: FactValue = signal.type == .boolean ? .boolean(sum > 0) : .number(sum)
      guard said[signal] ?? signal.rest != value else { continue }
      said[signal] = value
      effects.append(.say(signal, value))
    }
  }
}
