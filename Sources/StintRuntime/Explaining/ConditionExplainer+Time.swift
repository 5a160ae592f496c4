import StintLanguage
import StintMachine
import StintModel
import StintUnits

extension ConditionExplainer {
  /// Returns the obstacle of `… for SPAN`, for example `motion.activity is still: true since 14:01:10, would
  /// hold at 14:05:10 if nothing changes`.
  func forObstacle(
    _ expression: CheckedExpression, _ operand: CheckedExpression, _ span: TimeSpan, _ wanted: Bool
  ) -> Obstacle {
    let own = own(operand)
    guard wanted else { return obstacle(own, to: false) }
    guard let since = situation.memory(expression).since else {
      if own != operand, situation.truth(own) == .yes {
        let entry = obstacle(operand, to: true)
        return Obstacle(
          sentence: "\(words.text(own)): must then stay true for \(span)",
          passes: entry.passes.map { $0 + span })
      }
      var missing = obstacle(own, to: true)
      // The span starts only after the obstacle has passed.
      missing.passes = missing.passes.map { $0 + span }
      missing.sentence += missing.isUnknown ? "" : ", for \(span)"
      return missing
    }
    let end = since + span
    return Obstacle(
      sentence:
        "\(words.text(own)): true since \(time(since)), would hold at \(time(end)) if nothing changes",
      passes: end)
  }

  /// Returns the operand of a `for` as its author wrote it. Inside a state of a state machine, the operand
  /// also requires this state; this function removes the requirement.
  func own(_ operand: CheckedExpression) -> CheckedExpression { operand.countedInState ?? operand }

  /// Returns the obstacle of `… in last SPAN`, for example `screen.on: last true at 14:01:10, counts until
  /// 14:11:10 if nothing changes`.
  func inLastObstacle(
    _ expression: CheckedExpression, _ operand: CheckedExpression, _ span: TimeSpan, _ wanted: Bool
  ) -> Obstacle {
    if wanted {
      var missing = obstacle(operand, to: true)
      missing.sentence += missing.isUnknown ? "" : ", once in \(span)"
      return missing
    }
    if situation.truth(operand) == .yes {
      var missing = obstacle(operand, to: false)
      missing.sentence += ", for \(span)"
      missing.passes = missing.passes.map { $0 + span }
      return missing
    }
    guard let last = situation.memory(expression).since else { return obstacle(operand, to: false) }
    let end = last + span
    return Obstacle(
      sentence:
        "\(words.text(operand)): last true at \(time(last)), counts until \(time(end)) if nothing changes",
      passes: end)
  }

  /// Returns the obstacle of a comparison with an age, for example `location.gnss.accuracy is 12 s old, needs
  /// 1 min; reached at 14:06:00 if no new value arrives`.
  func ageObstacle(_ path: String, _ comparison: Comparison, _ span: TimeSpan) -> Obstacle {
    guard let published = situation.published(path) else { return unknown(path) }
    let present = "\(path) is \((situation.now - published).readable) old"
    switch comparison {
    case .greater, .greaterOrEqual:
      let end = published + span
      return Obstacle(
        sentence: "\(present), needs \(span); reached at \(time(end)) if no new value arrives", passes: end)
    default: return Obstacle(sentence: "\(present), needs a value not older than \(span)")
    }
  }

  /// Returns the obstacle of a schedule, for example `it is 14:05, outside of schedule work
  /// (weekdays 07:00..19:00)`.
  func scheduleObstacle(_ index: Int, _ wanted: Bool) -> Obstacle {
    let now = LocalMoment(situation.now, situation.timeZone)
    let side = wanted ? "outside" : "inside"
    guard situation.schedules.indices.contains(index) else {
      return Obstacle(sentence: "it is \(now.minutes)")
    }
    let schedule = situation.schedules[index]
    let windows = schedule.windows.map(text).joined(separator: ", ")
    return Obstacle(
      sentence: "it is \(now.minutes), \(side) of schedule \(schedule.name) (\(windows))",
      passes: change(of: schedule, to: wanted))
  }

  private func text(_ window: CheckedSchedule.Window) -> String {
    let names = ["mon", "tue", "wed", "thu", "fri", "sat", "sun"]
    let days: String
    switch window.days.sorted() {
    case [], [0, 1, 2, 3, 4, 5, 6]: days = ""
    case [0, 1, 2, 3, 4]: days = "weekdays "
    case [5, 6]: days = "weekends "
    case let some: days = some.filter(names.indices.contains).map { names[$0] }.joined(separator: ", ") + " "
    }
    return days + clock(window.from) + ".." + clock(window.to)
  }

  private func clock(_ span: TimeSpan) -> String {
    LocalMoment(.epoch + span, .utc).minutes
  }

  /// Returns the next instant within 15 days at which the schedule has the state `wanted`. Nil when there is
  /// no such instant. The limit is 15 days because a clock change can skip a weekly window once, but not
  /// twice.
  private func change(of schedule: CheckedSchedule, to wanted: Bool) -> Instant? {
    let edges = schedule.windows.flatMap { [$0.from, $0.to] }
    var moment = situation.now
    while moment <= situation.now + .hours(15 * 24) {
      moment = situation.timeZone.nextMoment(after: moment, clocks: edges)
      if schedule.isOpen(moment, in: situation.timeZone) == wanted { return moment }
    }
    return nil
  }
}
