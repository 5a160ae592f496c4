import StintModel

/// Builds the message of a state trap.
///
/// The message contains the states without an exit, the transitions that lead into these states, and a way to
/// correct the policy.
struct StateTrapMessage {
  private let vocabulary: Vocabulary
  private let trap: StateTrap
  private let isWarning: Bool

  /// - Parameter isWarning: true for a trap that needs a `downgrade`; such a trap does not prevent the
  ///   policies from being loaded.
  init(_ trap: StateTrap, _ vocabulary: Vocabulary, isWarning: Bool = false) {
    self.isWarning = isWarning
    self.trap = trap
    self.vocabulary = vocabulary
  }

  /// The trap as a dead end of the policies.
  var deadEnd: DeadEnd {
    DeadEnd(
      rules: trap.rules.map(\.rule.id), devices: trap.devices, readings: trap.readings,
      diagnostic: Diagnostic(
        isWarning ? .selfBlinding : .noWayBack, title, severity: isWarning ? .warning : .error,
        file: first.policy.file, labels: labels, hint: hint))
  }

  /// The rule at which the message is shown. A rule in the file of the first state machine is preferred.
  private var first: SwitchOffRule {
    trap.rules.first { $0.policy.file == trap.machines[0].policy.file } ?? trap.rules[0]
  }

  private var offFacts: OffDeviceFacts { OffDeviceFacts(vocabulary: vocabulary, devices: Set(trap.devices)) }

  /// Returns the facts that the exits read and that depend on switched-off devices, in source order.
  private func offDeviceFacts(_ machine: StateTrap.Machine) -> [String] {
    machine.exits.flatMap(\.condition.facts).filter(offFacts.isLimited)
  }

  private var title: String {
    let devices = list(trap.devices.map(\.path))
    let places = trap.machines.map { machine in
      "“\(name(machine))” out of " + list(machine.states.sorted().map { "“\(word($0, of: machine))”" })
    }
    let start = "nothing ever leads \(list(places))"
    guard let path = trap.machines.flatMap(offDeviceFacts).first else {
      return start + ", and \(devices) \(trap.devices.count == 1 ? "stays" : "stay") off"
    }
    let source = vocabulary.device(ofFact: path)?.path
    return start
      + (source.map { ": only \($0) can change \(path), and this device is off then" }
        ?? ": only \(devices) can do that, and \(trap.devices.count == 1 ? "it is" : "they are") off then")
  }

  private var labels: [Diagnostic.Label] {
    let off = first
    let stop = off.directives.first { !Set($0.directive.targets).isDisjoint(with: trap.devices) }
    var labels = [Diagnostic.Label(span: stop?.span ?? off.rule.span, text: "off from here on")]
    for machine in trap.machines where machine.policy.file == off.policy.file {
      for exit in machine.exits {
        let span = offDeviceFacts(machine).compactMap { exit.condition.firstSpan(reading: $0) }.first
        labels.append(
          Diagnostic.Label(
            span: span ?? exit.condition.span, text: span == nil ? "never true then" : "unchanged then"))
      }
      for step in machine.run where !labels.contains(where: { $0.span == step.condition.span }) {
        labels.append(
          Diagnostic.Label(
            span: step.condition.span,
            text: "leads from “\(word(step.source, of: machine))” to “\(word(step.target, of: machine))”"))
      }
    }
    return labels
  }

  private var hint: String {
    let machine = trap.machines[0]
    // A transition between two states of the trap would not end it.
    let entry = machine.run.last { !machine.states.contains($0.source) }
    let outside = (entry?.source ?? machine.exits.first?.target).map { word($0, of: machine) }
    guard machine.states.count == 1, let state = machine.states.first else {
      return "add a transition that reads a fact of another device"
        + (outside.map { ", as in: goto \($0) when screen.on" } ?? "")
    }
    let example = outside.map {
      ", as in: goto \($0) when \(name(machine)) is \(word(state, of: machine)) for 10 min"
    }
    return "add a transition after a time, or one that reads a fact of another device" + (example ?? "")
  }

  private func list(_ words: [String]) -> String { words.joined(separator: " and ") }

  private func name(_ machine: StateTrap.Machine) -> String {
    machine.path.split(separator: "/").last.map(String.init) ?? machine.path
  }

  private func word(_ state: Int, of machine: StateTrap.Machine) -> String {
    vocabulary.schema(machine.path)?.text(of: .symbol(state)) ?? "\(state)"
  }
}
