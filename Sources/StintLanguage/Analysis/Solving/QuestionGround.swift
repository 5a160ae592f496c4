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

  init(_ policies: [CheckedPolicy], vocabulary: Vocabulary) {
    self.vocabulary = vocabulary
    schedules = Dictionary(policies.map { ($0.name, $0.schedules) }, uniquingKeysWith: { first, _ in first })
    let devices = vocabulary.manifests.filter { $0.kind != .source }
    twins = devices.map { manifest in
      let path = manifest.device.path
      return Twins(on: .fact(path + ".on"), state: .fact(path + ".state"), isOn: manifest.states.map(\.isOn))
    }
    kept = Set(devices.flatMap { device in [".on", ".state", ".available"].map { device.device.path + $0 } })
  }
}
