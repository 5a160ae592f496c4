import StintGovernor
import StintLanguage
import StintMachine
import StintModel
import StintUnits

extension WhyWriter {
  /// The rules for which the sensor works now, because their conditions read one of its facts.
  var readers: [WhyReport.Line] {
    guard let device = governor.vocabulary.device(status.manifest.device) else { return [] }
    return governor.readings(of: device).map { reading in
      let period = reading.period ?? status.manifest.defaultPeriod
      let rate = period.map { ", every \($0)" } ?? ""
      let guards = guardText(of: reading.rule)
      return line(
        "read by", reading.rule.description, "its condition needs a fact of the sensor" + guards + rate)
    }
  }

  /// Returns the conditions under which a rule reads the device, as ` while …`. Empty when the rule always
  /// reads the device.
  private func guardText(of id: RuleID) -> String {
    guard let policy = policies.first(where: { $0.name == id.policy }),
      let rule = policy.rules.first(where: { $0.id == id }),
      let guards = ReadingGuards(policy, governor.vocabulary).texts(of: rule, on: status.manifest)
    else { return "" }
    return guards.isEmpty ? "" : " while \(guards.joined(separator: " and "))"
  }

  /// The lines about the facts that the device publishes: the values that can change a decision, and the
  /// readings. Facts are omitted if they are read by no rule.
  var sensing: [WhyReport.Line] {
    status.manifest.facts.flatMap { schema -> [WhyReport.Line] in
      guard let fact = governor.vocabulary.fact(schema.path) else { return [] }
      let need = governor.need(of: fact)
      let lines =
        need.isNeeded
        ? [line("needed", schema.path, text(of: need, schema))]
        : governor.maskedReads(of: fact).map { line("not needed", schema.path, text(of: $0)) }
      guard let reading = schema.reading, !lines.isEmpty else { return lines }
      return lines + [line("read", schema.path, text(of: reading, next: governor.nextReading(of: fact)))]
    }
  }

  private func text(of reading: FactReading, next: Instant?) -> String {
    guard let next else { return "no reading is needed at present" }
    return "next in \(max(.zero, next - governor.now)), at most every \(reading.every)"
  }

  private func text(of need: FactNeed, _ schema: FactSchema) -> String {
    guard case .outside(let quiet) = need else {
      return need == .everything ? "every value matters" : "any other value may change a decision"
    }
    if case .quantity = schema.type {
      let isBoundedBelow =
        schema.range.map { quiet.lowerBound > $0.lowerBound } ?? (quiet.lowerBound > -.infinity)
      let isBoundedAbove =
        schema.range.map { quiet.upperBound < $0.upperBound } ?? (quiet.upperBound < .infinity)
      // A bound can be the nearest number below or above a threshold. Its text shows the threshold, because
      // `text(of:)` rounds.
      let ends = [quiet.lowerBound, quiet.upperBound].map { schema.text(of: .number($0)) }
      switch (isBoundedBelow, isBoundedAbove) {
      case (true, true): return "values between \(ends[0]) and \(ends[1]) change no decision"
      case (true, false): return "values from \(ends[0]) up change no decision"
      case (false, true): return "values up to \(ends[1]) change no decision"
      case (false, false): return "it only matters whether the value is known"
      }
    }
    return "any other value may change a decision"
  }

  private func text(of read: Governor.MaskedRead) -> String {
    let paths = read.guards.map { governor.vocabulary.facts[$0].path }
    return paths.isEmpty
      ? "the time alone decides \(read.rule) now"
      : "\(paths.joined(separator: ", ")) alone \(paths.count == 1 ? "decides" : "decide") \(read.rule) now"
  }
}
