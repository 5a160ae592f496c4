import StintMachine
import StintModel

/// Services that rules have run, and what services say.
extension Governor {
  /// Takes over which directives have a service run.
  mutating func indexServices(_ prepared: PreparedProgram) {
    let directives = prepared.program.image.image.directives
    notes.isAsked = prepared.program.computed.contains { fact in
      if case .observed = fact.source { true } else { false }
    }
    notes.serving = directives.indices.filter { number in
      switch directives[number].directive.action {
      case .serve, .resume: true
      default: false
      }
    }
  }

  /// Begins and ends what rules have run, where that changed.
  mutating func leaseServices() {
    guard !notes.serving.isEmpty || !notes.leases.isEmpty else { return }
    let wanted = wantedLeases()
    guard wanted != notes.leases else { return }
    for lease in notes.leases where !wanted.contains(lease) { effects.append(.ceased(lease)) }
    for lease in wanted where !notes.leases.contains(lease) { effects.append(.began(lease)) }
    notes.leases = wanted
    noteObserved()
    if notes.isAsked { computedTimer = now }
  }

  private func wantedLeases() -> [ServiceLease] {
    guard let image = rules.image else { return [] }
    var wanted: Set<ServiceLease> = []
    for number in notes.serving where rules.inForce[number] {
      let directive = image.directives[number].directive
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

  /// Something happened that policies may ask for.
  mutating func noteObserved() { if notes.isAsked { mustCompute = true } }

  /// A service said something.
  mutating func take(_ signal: ServiceSignal, _ value: FactValue) {
    guard value == .unknown || signal.computed.schema.objection(to: value) == nil else {
      effects.append(.refused("“\(signal.rawValue)” cannot be what a service said of it"))
      return
    }
    if signal.isPulse {
      if value == .boolean(true) { notes.pulses.insert(signal) }
    } else {
      notes.said[signal] = value
    }
    noteObserved()
  }

  /// Somebody begins to take what a demand brings, or takes it no more.
  mutating func take(_ demand: DemandID, isHeard: Bool) {
    guard demands[demand] != nil else { return }
    if isHeard { notes.unheard.remove(demand) } else { notes.unheard.insert(demand) }
    noteObserved()
  }
}
