import StintModel

/// What all questions about some policies share.
struct QuestionGround {
  /// Facts of one device that say the same in two ways.
  struct Twins {
    var on: Leaf
    var state: Leaf
    /// By state: whether it draws more than floor power.
    var isOn: [Bool]
  }

  let vocabulary: Vocabulary
  let schedules: [String: [CheckedSchedule]]
  let twins: [Twins]
  /// Facts that the governor keeps, which are never unknown.
  let kept: Set<String>

  /// Every schedule once, whatever it is called; numbers of what is `unplaced` are places here.
  let distinct: [[CheckedSchedule.Window]]

  init(_ policies: [CheckedPolicy], vocabulary: Vocabulary) {
    self.init(
      schedules: Dictionary(
        policies.map { ($0.name, $0.schedules) }, uniquingKeysWith: { first, _ in first }),
      vocabulary: vocabulary)
  }

  /// Takes the schedules by the names that claims give their policies.
  init(schedules: [String: [CheckedSchedule]], vocabulary: Vocabulary) {
    self.vocabulary = vocabulary
    self.schedules = schedules
    var distinct: [[CheckedSchedule.Window]] = []
    for (_, list) in schedules.sorted(by: { $0.key < $1.key }) {
      for schedule in list where !distinct.contains(schedule.windows) { distinct.append(schedule.windows) }
    }
    self.distinct = distinct
    let devices = vocabulary.manifests.filter { $0.kind != .source }
    twins = devices.map { manifest in
      let path = manifest.device.path
      return Twins(on: .fact(path + ".on"), state: .fact(path + ".state"), isOn: manifest.states.map(\.isOn))
    }
    kept = Set(devices.flatMap { device in [".on", ".state", ".available"].map { device.device.path + $0 } })
  }

  /// The condition of a policy as it can be compared with those of others.
  func unplaced(_ condition: CheckedExpression, of policy: String) -> CheckedExpression {
    condition.unplaced { index in
      guard let list = schedules[policy], list.indices.contains(index) else { return -1 - index }
      return distinct.firstIndex(of: list[index].windows) ?? -1 - index
    }
  }
}
