import StintModel
import StintUnits

/// Evaluates parts of conditions at an instant, before or after the VM has propagated its inputs.
struct NeedEvaluation {
  let image: Image
  let firstComputed: Int
  let machine: RuleVM
  let facts: FactTable
  let now: Instant
  /// Values and demands to assume in place of the actual values and demands. Nil before the VM has propagated
  /// its inputs.
  var assumptions: NeedAssumptions?

  /// Returns the assumed value of a fact of the image. Without an assumption, returns the known value; NaN
  /// when it is unknown.
  func knownValue(_ fact: Int) -> Double {
    let entry = image.facts[fact]
    if let assumed = assumptions?.values[entry.number] { return assumed }
    switch facts.value(entry.number, at: now, maxAge: entry.maxAge) {
    case .unknown: return .nan
    case .boolean(let truth): return truth ? 1 : 0
    case .number(let number): return number
    case .symbol(let index): return Double(index)
    }
  }

  /// Returns true when only inputs and time change the fact.
  func isInputFact(_ fact: Int) -> Bool { image.facts[fact].number < firstComputed }

  /// Returns the value of a part of a condition, NaN for unknown. Nil for values that are not determined
  /// here: windows, computed facts, tolerated gaps, and demands before the VM has propagated its inputs.
  func value(of term: NeedTerm) -> Double? {
    switch term {
    case .constant(let number): return number
    case .fact(let fact): return isInputFact(fact) ? knownValue(fact) : nil
    case .known(let fact):
      guard isInputFact(fact) else { return nil }
      if isRead(fact) { return 1 }
      return isUnread(fact) || knownValue(fact).isNaN ? 0 : 1
    case .age(let fact, let comparison, let span): return age(fact, comparison, span)
    case .schedule(let index): return image.schedules[index].contains(now, in: machine.timeZone) ? 1 : 0
    case .window: return nil
    // A sensor that no demand reads publishes no values.
    case .valueCount(let fact, _): return isUnread(fact) ? 0 : nil
    case .demanded(let device):
      guard let assumptions else { return nil }
      let name = image.devices[device]
      if assumptions.demanded.contains(name) { return 1 }
      return machine.isDemanded[device] && !assumptions.undemanded.contains(name) ? 1 : 0
    case .not(let operand): return value(of: operand).map { 1 - $0 }
    case .negate(let operand): return value(of: operand).map { -$0 }
    case .and(let operands): return join(operands, decisive: 0)
    case .or(let operands): return join(operands, decisive: 1)
    case .compare(let comparison, let left, let right):
      guard let left = value(of: left), let right = value(of: right) else { return nil }
      return left.isNaN || right.isNaN ? .nan : comparison.holds(left, right) ? 1 : 0
    case .arithmetic(let operation, let left, let right):
      guard let left = value(of: left), let right = value(of: right) else { return nil }
      return operation.apply(left, right)
    case .oneOf(let operand, let values):
      return value(of: operand).map { value in value.isNaN ? .nan : values.contains(value) ? 1 : 0 }
    case .latch(let slot, let value, let threshold, let release):
      return latch(slot, value, threshold, release)
    case .heldFor(let slot, let operand): return heldFor(slot, operand)
    case .inLast(let slot, let operand): return inLast(slot, operand)
    }
  }

  private func join(_ operands: [NeedTerm], decisive: Double) -> Double? {
    var result: Double? = 1 - decisive
    for operand in operands {
      let value = value(of: operand)
      if value == decisive { return decisive }
      result = result.flatMap { result in value.map { result.isNaN || $0.isNaN ? .nan : result } }
    }
    return result
  }

  /// Returns true when `known`, `age` and counts of values are assumed to find no value of the fact.
  private func isUnread(_ fact: Int) -> Bool {
    assumptions?.unread.contains(image.facts[fact].number) ?? false
  }

  /// Returns true when `known` and `age` are assumed to find a new value of the fact.
  private func isRead(_ fact: Int) -> Bool {
    assumptions?.read.contains(image.facts[fact].number) ?? false
  }

  /// Returns true when a `for` tolerates gaps, so that an unknown operand can keep it true.
  func toleratesGaps(_ slot: Int) -> Bool {
    guard case .heldFor(_, let tolerate) = image.slots[slot].kind else { return false }
    return tolerate != nil
  }

  /// Returns true when the term tests the work of the sensor whose reading is considered.
  private func isChangedByReading(_ term: NeedTerm) -> Bool {
    guard let assumptions else { return false }
    return term.facts.contains { assumptions.changedByReading.contains(image.facts[$0].number) }
      || term.demandedDevices.contains { image.devices[$0] == assumptions.demandedByReading }
  }

  private func age(_ fact: Int, _ comparison: Comparison, _ span: TimeSpan) -> Double? {
    guard isInputFact(fact) else { return nil }
    let isForNewValues = comparison == .less || comparison == .lessOrEqual
    if isRead(fact) { return isForNewValues ? 1 : 0 }
    // A fact that no demand reads gets no new value. Its age is unknown, because it may never have been
    // published.
    if isUnread(fact) { return isForNewValues ? 0 : .nan }
    let number = image.facts[fact].number
    if facts.value(number) == .unknown { return .nan }
    let age = Double((now - facts.instant(number)).nanoseconds)
    return comparison.holds(age, Double(span.nanoseconds)) ? 1 : 0
  }

  private func latch(
    _ slot: Int, _ value: NeedTerm, _ threshold: NeedTerm, _ release: NeedTerm
  ) -> Double? {
    guard let value = self.value(of: value), let threshold = self.value(of: threshold),
      let release = self.value(of: release)
    else { return nil }
    if value.isNaN || threshold.isNaN || release.isNaN { return .nan }
    return isClosed(slot, value, threshold, release) ? 1 : 0
  }

  /// Returns whether a latch (a comparison with a `release`) is true after it has received these operands.
  func isClosed(_ slot: Int, _ value: Double, _ threshold: Double, _ release: Double) -> Bool {
    guard case .latch(let side) = image.slots[slot].kind else { return false }
    if side == .below ? value < threshold : value > threshold { return true }
    if side == .below ? value > release : value < release { return false }
    return machine.isClosed(slot: slot)
  }

  private func heldFor(_ slot: Int, _ operand: NeedTerm) -> Double? {
    let dependsOnReading = operand.facts.contains(where: isRead)
    guard case .heldFor(let span, let tolerate) = image.slots[slot].kind, let operand = value(of: operand)
    else { return nil }
    if operand == 0 { return 0 }
    // A fact that is assumed to be read stays known until the time has passed.
    if operand == 1, dependsOnReading { return 1 }
    // The result of a tolerated gap depends on its beginning, which is not known here.
    if operand.isNaN { return tolerate == nil ? .nan : nil }
    return now - (machine.since(slot: slot) ?? now) >= span ? 1 : 0
  }

  private func inLast(_ slot: Int, _ term: NeedTerm) -> Double? {
    guard case .inLast(let span) = image.slots[slot].kind, let operand = value(of: term) else {
      return nil
    }
    // If the past values of the operand counted, a reading that makes the operand true would cause itself.
    if isChangedByReading(term) { return operand }
    // The operand is true now, or was true until now.
    if operand == 1 || machine.isClosed(slot: slot) { return 1 }
    if let last = machine.since(slot: slot), now - last < span { return 1 }
    return operand.isNaN ? .nan : 0
  }
}
