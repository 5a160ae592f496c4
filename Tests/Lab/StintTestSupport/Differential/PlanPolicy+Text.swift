import StintModel
import StintUnits

extension PlanPolicy {
  /// Returns the policy as source text.
  func text(_ world: PlanWorld) -> String {
    var lines = ["policy \"\(name)\""]
    for (place, metres) in parameters.enumerated() {
      lines.append("param distance\(place) = \(metres) m in 0 m .. 10 m")
    }
    for (place, windows) in schedules.enumerated() {
      lines.append("schedule hours\(place) = \(windows.map(Self.text).joined(separator: ", "))")
    }
    for (place, zone) in zones.enumerated() { lines.append("zone zone\(place) = \(Self.text(zone, world))") }
    lines += defaults.map { Self.text($0, world) }
    // A `let` may use budgets and state machines, which are defined after it.
    for (place, condition) in lets.enumerated() {
      lines.append("let fact\(place) = \(condition.text(world))")
    }
    for item in items {
      switch item {
      case .rule(let rule): lines += Self.body(of: rule, world, in: name)
      case .machine(let place): lines += self.lines(ofMachine: place, world)
      case .budget(let place): lines += self.lines(ofBudget: place, world)
      }
    }
    lines += requirements.map { "require \($0.text(world))" }
    return lines.joined(separator: "\n") + "\n"
  }

  private static func clock(_ minutes: Int) -> String {
    let digits = { (number: Int) in number < 10 ? "0\(number)" : "\(number)" }
    return "\(digits(minutes / 60)):\(digits(minutes % 60))"
  }

  private static func text(_ window: Window) -> String {
    let names = ["mon", "tue", "wed", "thu", "fri", "sat", "sun"]
    let days = window.days.map { names[$0] }.joined(separator: ", ")
    return (days.isEmpty ? "" : days + " ") + "\(clock(window.from))..\(clock(window.to))"
  }

  private static func text(_ zone: Zone, _ world: PlanWorld) -> String {
    switch zone {
    case .circle(let enter, let exit):
      "circle 47 8 radius 150 m enter_after \(world.text(enter)) exit_after \(world.text(exit))"
    case .beacon(let enter, let exit):
      "beacon \"home\" enter_after \(world.text(enter)) exit_after \(world.text(exit))"
    }
  }

  private static func text(_ defaults: Defaults, _ world: PlanWorld) -> String {
    var parts: [String] = []
    if let metres = defaults.accuracy { parts.append("accuracy \(metres) m") }
    if let period = defaults.period { parts.append("rate 1 per \(world.text(period))") }
    if let linger = defaults.linger { parts.append("linger \(world.text(linger))") }
    if let age = defaults.maxAge { parts.append("max_age \(world.text(age))") }
    if let isOn = defaults.isInBackground { parts.append("background \(isOn ? "on" : "off")") }
    if let mayPause = defaults.mayPause { parts.append("pause \(mayPause ? "auto" : "off")") }
    return "default \(defaults.device.id) { \(parts.joined(separator: "\n  ")) }"
  }

  private static func body(of rule: Rule, _ world: PlanWorld, in policy: String) -> [String] {
    var head = "rule \(rule.name)"
    if !rule.over.isEmpty {
      let names = rule.over.map {
        $0.hasPrefix(policy + "/") ? String($0.dropFirst(policy.utf8.count + 1)) : $0
      }
      head += " over \(names.joined(separator: ", "))"
    }
    switch rule.trigger {
    case .always: head += " always"
    case .whilst(let condition): head += " while \(condition.text(world))"
    case .when(let condition, let span):
      head += " when \(condition.text(world))" + (span.map { " at most 1 per \(world.text($0))" } ?? "")
    case .every(let span, let flex, let condition):
      head += " every \(world.text(span))" + (flex.map { " flex \(world.text($0))" } ?? "")
      head += (condition.map { " if \($0.text(world))" } ?? "")
    }
    return [head + " {"] + rule.directives.map { "  " + text($0, world) }
      + rule.acts.map { "  " + text($0, world) }
      + ["}"]
  }

  private static func text(_ directive: Directive, _ world: PlanWorld) -> String {
    let names = directive.targets.map(\.id.path)
    let target = names.count == 1 ? names[0] : "[\(names.joined(separator: ", "))]"
    var text: String
    switch directive.action {
    case .start(let client, let accuracy, let period):
      text = "start \(target)" + (client.map { " for \"\($0)\"" } ?? "")
      let settings =
        [accuracy.map { "accuracy \($0) m" }, period.map { "rate 1 per \(world.text($0))" }].compactMap { $0 }
      if !settings.isEmpty { text += " with { \(settings.joined(separator: "\n")) }" }
    case .stop(let clients):
      text = "stop \(target)"
      if !clients.isEmpty { text += " except \(clients.map { "\"\($0)\"" }.joined(separator: ", "))" }
    case .pause: text = "pause \(target)"
    case .limitAccuracy(let metres): text = "downgrade \(target) to \(metres) m"
    case .slow(let period): text = "downgrade \(target) to 1 per \(world.text(period))"
    case .batch(let bounds):
      text = "batch \(target) until \(bounds.map { Self.text($0, world) }.joined(separator: " or "))"
    case .deferred(let condition, let deadline):
      text = "defer \(target) until \(condition.text(world)) deadline \(world.text(deadline))"
    }
    guard let ending = directive.ending else { return text }
    text += " for \(world.text(ending.span))"
    if let ceiling = ending.doublingTo { text += " doubling to \(world.text(ceiling))" }
    if let count = ending.atMost { text += " at most \(count) times" }
    return text
  }

  private static func text(_ bound: Bound, _ world: PlanWorld) -> String {
    switch bound {
    case .time(let span): world.text(span)
    case .items(let count): "\(count) items"
    case .metres(let count): "\(count) m"
    }
  }

  private static func text(_ act: Act, _ world: PlanWorld) -> String {
    switch act {
    case .emit(let name): "emit \"\(name)\""
    case .tell(let client, let text): "tell \"\(client)\" \"\(text)\""
    case .launch(let client): "launch \"\(client)\""
    case .fix(let metres, let span): "fix fast.one to \(metres) m timeout \(world.text(span))"
    }
  }

  private func lines(ofMachine place: Int, _ world: PlanWorld) -> [String] {
    var lines = ["machine mode\(place) starts s0 {"]
    for (number, state) in machines[place].enumerated() {
      lines.append("  state s\(number) {")
      lines += state.directives.map { "    " + Self.text($0, world) }
      for rule in state.rules { lines += Self.body(of: rule, world, in: name).map { "    " + $0 } }
      lines += state.transitions.map { "    goto s\($0.target) when \($0.condition.text(world))" }
      lines.append("  }")
    }
    return lines + ["}"]
  }

  private func lines(ofBudget place: Int, _ world: PlanWorld) -> [String] {
    let budget = budgets[place]
    let amount = budget.devices.reduce(Int64(0)) { $0 + $1.energy(budget.units, world) }
    let names = budget.devices.map(\.id.path).joined(separator: ", ")
    var lines = [
      "budget trail\(place) = \(amount) nJ per \(budget.period) from \(Self.clock(budget.from)) on [\(names)] {"
    ]
    for step in budget.steps {
      lines.append("  at \(step.percent) % {")
      lines += step.directives.map { "    " + Self.text($0, world) }
      lines.append("  }")
    }
    return lines + ["}"]
  }
}
