import StintMachine
import StintModel
public import StintUnits

extension Governor {
  /// Replaces the policies in force. Call this function between two steps.
  ///
  /// Unchanged rules keep their state and cause no effects. The reload is atomic: when it throws, the
  /// governor is unchanged.
  ///
  /// - Throws: `Problem` when the program does not fit the devices, or the instant is before `now`.
  public mutating func load(_ program: Program, at instant: Instant) throws(Problem) -> Reload {
    try load(program, at: instant, recalling: nil) { (_: ReloadStage) throws(Problem) in }
  }

  /// Replaces the policies in force by a program that was prepared while the former policies ran.
  ///
  /// - Throws: `Problem` when the program does not fit the devices, or the instant is before `now`.
  public mutating func load(_ prepared: PreparedProgram, at instant: Instant) throws(Problem)
    -> Reload
  {
    try checkTime(instant)
    return try load(renewed(prepared), at: instant, recalling: nil) {
      (_: ReloadStage) throws(Problem) in
    }
  }

  /// Loads the first policies after a restart, with the state that the previous process saved.
  ///
  /// The time between saving and loading counts as a time without inputs. Saved state of expressions that no
  /// longer exist is dropped.
  ///
  /// - Throws: `Problem` in four cases: policies are already in force, the saved state is of a later instant,
  ///   the instant is before `now`, or the program does not fit the devices.
  public mutating func load(
    _ program: Program, at instant: Instant, recalling memory: GovernorMemory
  ) throws(Problem) -> Reload {
    guard self.program == nil else {
      throw Problem(
        .incompatible, cause: "other policies are already loaded and have state",
        remedy: "restore the saved state with the first load")
    }
    guard memory.instant <= instant else {
      throw Problem(
        .past, cause: "the saved state is of a later instant",
        remedy: "load it at \(memory.instant) or later")
    }
    return try load(program, at: instant, recalling: memory) {
      (_: ReloadStage) throws(Problem) in
    }
  }

  /// Replaces the policies in force. `passing` is called after each stage and stops the reload by throwing.
  mutating func load(
    _ program: Program, at instant: Instant, recalling memory: GovernorMemory? = nil,
    passing: (ReloadStage) throws(Problem) -> Void
  ) throws(Problem) -> Reload {
    try checkTime(instant)
    return try load(prepare(program), at: instant, recalling: memory, passing: passing)
  }

  private func checkTime(_ instant: Instant) throws(Problem) {
    guard instant >= now else {
      throw Problem(
        .past, cause: "the clock went back by \(now - instant)", remedy: "wait until it has caught up")
    }
  }

  private mutating func load(
    _ prepared: PreparedProgram, at instant: Instant, recalling memory: GovernorMemory?,
    passing: (ReloadStage) throws(Problem) -> Void
  ) throws(Problem) -> Reload {
    try passing(.validated)
    var candidate = self
    var reload = try candidate.exchange(prepared, at: instant, memory, passing: passing)
    try passing(.decided)
    reload.replaced = [self]
    self = candidate
    return reload
  }

  private mutating func exchange(
    _ prepared: PreparedProgram, at instant: Instant, _ memory: GovernorMemory?,
    passing: (ReloadStage) throws(Problem) -> Void
  ) throws(Problem) -> Reload {
    begin(at: instant)
    let before = (vocabulary: vocabulary, facts: derived.readingMeters(derivedContext(), &energy))
    let program = prepared.program
    if rules.program == nil { devices.beginAssumptions(at: now) }
    let isUnchanged = rules.program?.image.image == program.image.image
    factStore.migrate(from: vocabulary, to: prepared.vocabulary, prepared.names, at: now)
    vocabulary = prepared.vocabulary
    derived.migrate(to: prepared, derivedContext(), &energy)
    if let memory { restore(memory) }
    matchKeys()
    try passing(.derivedReady)
    var replaced: [ReplacedMachine] = []
    if let old = rules.migrate(to: prepared, ruleContext(), restoring: memory) {
      replaced.append(old)
    }
    demands.migrate(to: prepared, devices)
    try passing(.migrated)
    let entries = ruleEntries(prepared.perDemandRules)
    if let old = rules.migrateDemands(to: prepared, entries, ruleContext()) { replaced.append(old) }
    try passing(.perDemandMigrated)
    let computed = derived.reportEntries(since: before, in: vocabulary, prepared.names)
    rules.follow(prepared, isRestart: memory != nil, at: now)
    services.migrate(to: prepared)
    sensing.migrate(to: prepared.sensed, isUnchanged: isUnchanged)
    reconcileStarts(prepared)
    try passing(.joined)
    devices.markAll(.grants)
    devices.markAll(.setting)
    sources.migrate(to: program.image, firstComputed: vocabulary.firstComputed)
    settle()
    return Reload(effects: effects, machines: replaced, computed: computed)
  }
}
