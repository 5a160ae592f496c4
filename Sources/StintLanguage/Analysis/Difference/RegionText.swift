import StintModel
import StintUnits

/// Describes the cells of a region as conditions of the policy language.
struct RegionText {
  let space: SolverVariables
  /// The names of schedules, by their index in `SolverContext.distinct`.
  let schedules: [Int: String]

  /// Returns the first name of each schedule, by its index in `SolverContext.distinct`.
  static func names(_ policies: [CheckedPolicy], solverContext: SolverContext) -> [Int: String] {
    var names: [Int: String] = [:]
    for schedule in policies.flatMap(\.schedules) {
      if let place = solverContext.distinct.firstIndex(of: schedule.windows), names[place] == nil {
        names[place] = schedule.name
      }
    }
    return names
  }

  /// Returns one condition for each variable that matters.
  func conditions(_ cells: [[Int]?]) -> [String] {
    let texts = zip(space.variables, cells).compactMap { variable, cells -> String? in
      guard let cells else { return nil }
      return text(variable, Set(cells))
    }
    return texts.map { texts.count > 1 && $0.contains(" or ") ? "(\($0))" : $0 }
  }

  private func text(_ variable: SolverVariables.Variable, _ cells: Set<Int>) -> String {
    switch variable.unknown {
    case .leaf(let leaf), .earlier(let leaf): return text(leaf, variable.cells, cells)
    case .outcome(let part): return truths(conditions.text(part), variable.cells, cells)
    case .memory(let latch): return (cells == [0] ? "" : "not ") + "true before: \(conditions.text(latch))"
    case .week: return week(cells)
    }
  }

  private var conditions: ConditionText { ConditionText(schedules: schedules) }

  private func text(_ leaf: Leaf, _ all: [Double], _ cells: Set<Int>) -> String {
    switch leaf {
    case .fact(let path):
      guard let schema = space.vocabulary.schema(path) else { return "\(path) is unknown" }
      switch schema.type {
      case .boolean: return truths(path, all, cells)
      case .symbol(let words): return word(path, words, all, cells)
      case .quantity: return number(path, schema, leaf, all, cells)
      }
    case .age(let path):
      return number("age(\(path))", nil, leaf, all, cells)
    case .window(let function, let path, let span):
      let schema = function.countsValues ? nil : space.vocabulary.schema(path)
      return number("\(function.rawValue)(\(path), \(span))", schema, leaf, all, cells)
    case .demanded(let device): return truths("demanded(\(device))", all, cells)
    case .schedule, .memory, .outcome: return ""
    }
  }

  private func truths(_ name: String, _ all: [Double], _ cells: Set<Int>) -> String {
    let values = cells.sorted().map { all[$0] }
    let (isTrue, isFalse, isUnknown) = (
      values.contains(1), values.contains(0), values.contains(where: \.isNaN)
    )
    let inner = Self.bracketed(name)
    switch (isTrue, isFalse, isUnknown) {
    case (true, false, false): return name
    case (false, true, false): return "not \(inner)"
    case (false, true, true): return "\(inner) is not true"
    case (true, false, true): return "\(inner) is not false"
    case (true, true, false): return "\(inner) is known"
    default: return "\(inner) is unknown"
    }
  }

  private static func bracketed(_ name: String) -> String { name.contains(" ") ? "(\(name))" : name }

  private func word(_ path: String, _ words: [String], _ all: [Double], _ cells: Set<Int>) -> String {
    let known = all.indices.filter { !all[$0].isNaN }
    let chosen = known.filter(cells.contains).map { words[Int(all[$0])] }
    let unknown = all.indices.contains { all[$0].isNaN && cells.contains($0) }
    if chosen.count == known.count { return "known(\(path))" }
    let rest = known.filter { !cells.contains($0) }.map { words[Int(all[$0])] }
    if unknown, rest.count <= chosen.count {
      return rest.map { "\(path) is not \($0)" }.joined(separator: " and ")
    }
    let text =
      chosen.count == 1 ? "\(path) is \(chosen[0])" : "\(path) in [\(chosen.joined(separator: ", "))]"
    if chosen.isEmpty { return "\(path) is unknown" }
    return unknown ? "\(text) or unknown" : text
  }

  /// Returns a condition on a number, such as `battery.level < 20 % or battery.level >= 80 %`.
  private func number(
    _ name: String, _ schema: FactSchema?, _ leaf: Leaf, _ all: [Double], _ cells: Set<Int>
  ) -> String {
    let limits = space.survey.limits[leaf] ?? []
    let known = all.indices.filter { !all[$0].isNaN }
    let isUnknown = all.indices.contains { all[$0].isNaN && cells.contains($0) }
    if known.allSatisfy(cells.contains) { return isUnknown ? "" : "known(\(name))" }
    func shown(_ value: Double) -> String {
      if case .age = leaf { return TimeSpan(nanoseconds: Int64(value)).description }
      return schema?.text(of: .number(value)) ?? Quantity.number(value)
    }
    func isPoint(_ cell: Int) -> Bool { limits.contains(all[cell]) }
    var parts: [String] = []
    var first: Int?
    for cell in known {
      guard cells.contains(cell) else { continue }
      let start = first ?? cell
      first = start
      guard cell + 1 == all.count || !known.contains(cell + 1) || !cells.contains(cell + 1) else { continue }
      first = nil
      if start == cell, isPoint(cell) {
        parts.append("\(name) == \(shown(all[cell]))")
        continue
      }
      let low =
        isPoint(start)
        ? "\(name) >= \(shown(all[start]))" : start > 0 ? "\(name) > \(shown(all[start - 1]))" : nil
      let isLast = cell + 1 == all.count || !known.contains(cell + 1)
      let high =
        isPoint(cell) ? "\(name) <= \(shown(all[cell]))" : isLast ? nil : "\(name) < \(shown(all[cell + 1]))"
      parts.append([low, high].compactMap { $0 }.joined(separator: " and "))
    }
    if isUnknown { parts.append("\(name) is unknown") }
    return parts.joined(separator: " or ")
  }

  /// Returns times of the week, such as `daily 22:00..06:00` or `sat, sun 08:00..09:00`.
  private func week(_ cells: Set<Int>) -> String {
    let stretches = WeekTime(space.survey.schedules).stretches
    // Adjacent stretches are joined; the last stretch may continue in the first stretch.
    var joined: [WeekTime.Stretch] = []
    for place in stretches.indices where cells.contains(place) {
      if let last = joined.last, last.time(after: last.length) == stretches[place].from, place > 0 {
        joined[joined.count - 1].length += stretches[place].length
      } else {
        joined.append(stretches[place])
      }
    }
    if joined.count > 1, let last = joined.last, last.time(after: last.length) == joined[0].from {
      joined[0] = WeekTime.Stretch(from: last.from, length: last.length + joined[0].length)
      joined.removeLast()
    }
    struct Window: Hashable {
      var clock: Int64
      var length: Int64
    }
    var days: [Window: [Int]] = [:]
    var order: [Window] = []
    for stretch in joined {
      let window = Window(clock: stretch.from % WeekTime.day, length: stretch.length)
      if days[window] == nil { order.append(window) }
      days[window, default: []].append(Int(stretch.from / WeekTime.day))
    }
    let names = ["mon", "tue", "wed", "thu", "fri", "sat", "sun"]
    return order.map { window in
      let on = (days[window] ?? []).sorted()
      let when =
        on.count == 7
        ? "daily" : on == [0, 1, 2, 3, 4] ? "weekdays" : on.map { names[$0] }.joined(separator: ", ")
      let end = (window.clock + window.length) % WeekTime.day
      let more = window.length > WeekTime.day ? " for \(TimeSpan(nanoseconds: window.length))" : ""
      return "\(when) \(Witness.clock(window.clock))\(more.isEmpty ? "..\(Witness.clock(end))" : more)"
    }.joined(separator: " or ")
  }
}
