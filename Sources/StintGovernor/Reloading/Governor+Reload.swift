import StintMachine
import StintModel
public import StintUnits

extension Governor {
  /// Puts policies in force, in place of those that were; between two steps.
  ///
  /// What did not change keeps its state, and no effect comes of it. Either all of it happens or nothing: when it
  /// fails, the governor is as it was.
  public mutating func load(_ program: Program, at instant: Instant) throws(Problem) -> Reload {
    try load(program, at: instant, recalling: nil) { (_: ReloadStage) throws(Problem) in }
  }

  /// Puts policies in force for which everything has been worked out that can be while others run.
  public mutating func load(_ prepared: PreparedProgram, at instant: Instant) throws(Problem)
    -> Reload
  {
    try checkTime(instant)
    return try load(renewed(prepared), at: instant, recalling: nil) {
      (_: ReloadStage) throws(Problem) in
    }
  }

  /// Puts the first policies in force after a restart, with what the process before remembered of them.
  ///
  /// A restart is a pause in which nothing came in. What is remembered of expressions that are not here is dropped.
  public mutating func load(
    _ program: Program, at instant: Instant, recalling memory: GovernorMemory
  ) throws(Problem) -> Reload {
    guard self.program == nil else {
      throw Problem(
        .mixed, cause: "there are policies in force already, with state of their own",
        remedy: "recall before anything is loaded")
    }
    guard memory.instant <= instant else {
      throw Problem(
        .past, cause: "what is remembered is of a later instant", remedy: "go on from \(memory.instant)")
    }
    return try load(program, at: instant, recalling: memory) {
      (_: ReloadStage) throws(Problem) in
    }
  }

  /// Puts policies in force with an observer, which may stop the exchange at each stage.
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
    factStore.migrate(from: vocabulary, to: prepared.vocabulary, prepared.names, at: now)
    vocabulary = prepared.vocabulary
    derived.migrate(to: prepared, derivedContext(), &energy)
    if let memory { restore(memory) }
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
    sensing.migrate(to: prepared.sensed)
    reconcileStarts(prepared)
    try passing(.joined)
    devices.markAll(.grants)
    devices.markAll(.setting)
    sources.migrate(to: program.image, firstComputed: vocabulary.firstComputed)
    settle()
    return Reload(effects: effects, machines: replaced, computed: computed)
  }
}
