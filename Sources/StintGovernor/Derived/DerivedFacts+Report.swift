import StintMachine
import StintModel
import StintUnits

extension DerivedFacts {
  /// Returns the results of the migration of derived facts, for the report of a reload. Only facts with
  /// state, such as budgets and zones, have results.
  func reportEntries(
    since before: (vocabulary: Vocabulary, facts: FactTable), in vocabulary: Vocabulary,
    _ names: RenameMap
  ) -> [ReloadReport.Entry] {
    var entries: [ReloadReport.Entry] = []
    var seen: Set<String> = []
    let zones = self.zones
    for (place, old) in before.vocabulary.computed.enumerated() {
      let value = before.facts.value(before.vocabulary.firstComputed + place)
      var path = old.schema.path
      if case .zone(_, let question) = old.source {
        path = ZoneKey.name(path, question)
        guard seen.insert(path).inserted else { continue }
      }
      guard let kind = old.kindOfState else { continue }
      let new = vocabulary.fact(names.path(now: old.schema.path)).flatMap { number in
        number >= vocabulary.firstComputed
          ? vocabulary.computed[number - vocabulary.firstComputed] : nil
      }
      let migration = migration(of: old, value, path, now: new, names.path(now: path), zones)
      var entry = ReloadReport.Entry(
        kind: kind, owner: path, expression: old.limit, value: old.text(of: value), migration: migration)
      switch migration {
      case .kept, .moved: if let new, new.limit != old.limit { entry.newExpression = new.limit }
      case .reset, .dropped: break
      }
      entries.append(entry)
    }
    return entries
  }

  private func migration(
    of old: ComputedFact, _ value: FactValue, _ path: String, now new: ComputedFact?,
    _ name: String,
    _ zones: [String: Zone]
  ) -> ReloadReport.MigrationResult {
    guard let new else { return zoneMigration(of: old, path, name, zones) }
    let isSame =
      switch (old.source, new.source) {
      case (.budget(let before), .budget(let after)):
        before.devices == after.devices && before.period == after.period
          && before.from == after.from
      case (.machine, .machine): new.schema.hasState(old.schema.text(of: value))
      case (.zone(let before, _), .zone(let after, _)): after.hasSamePlace(as: before)
      default: old.source == new.source
      }
    guard isSame else { return .reset }
    return path == name ? .kept : .moved(to: name)
  }

  /// Returns the result for a zone whose fact is not read by the new policies. The zone keeps its state when
  /// the new policies read another fact of the zone.
  private func zoneMigration(
    of old: ComputedFact, _ path: String, _ name: String, _ zones: [String: Zone]
  )
    -> ReloadReport.MigrationResult
  {
    guard case .zone(let zone, _) = old.source, let present = zones[name] else { return .dropped }
    guard present.hasSamePlace(as: zone) else { return .reset }
    return path == name ? .kept : .moved(to: name)
  }
}

extension FactSchema {
  /// Returns whether the state machine of this fact has a state of this name.
  fileprivate func hasState(_ name: String) -> Bool {
    if case .symbol(let words) = type { words.contains(name) } else { false }
  }
}

extension ComputedFact {
  /// The kind of the state behind the fact; nil when the fact has no state.
  fileprivate var kindOfState: ReloadReport.Kind? {
    switch source {
    case .budget, .energy: .budget
    case .wakeups, .respite: .window
    case .machine: .machine
    case .zone: .zone
    case .observed(.spread), .observed(.starts), .observed(.hostWakeups): .window
    case .observed(.energy): .budget
    case .unexplained, .rule, .grant, .client, .observed, .keyed: nil
    }
  }

  /// The limit that a reload can change without a reset, for example `6 J per hour`. Empty without such a
  /// limit.
  fileprivate var limit: String {
    guard case .budget(let budget) = source else { return "" }
    let amount = Quantity(Double(budget.amount.nanojoules) / 1e9, .energy)
    return "\(amount) per \(budget.period.rawValue)"
  }

  /// Returns the state as text for a report.
  fileprivate func text(of value: FactValue) -> String {
    switch (source, value) {
    case (.machine, _): "is \(schema.text(of: value))"
    case (.zone, .boolean(let isInside)): isInside ? "true" : "false"
    case (.budget, .number(let share)) where abs(share) < 1e6:
      "\(Int((share * 100).rounded())) % used"
    case (.energy, .number(let joules)) where abs(joules) < 1e15: "\(Int(joules.rounded())) J"
    case (.wakeups, .number(let rate)) where abs(rate) < 1e6:
      "\(Int((rate * 3600).rounded())) in the last hour"
    default: "unknown"
    }
  }
}
