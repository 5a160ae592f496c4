import StintModel

/// Compares the names in a scenario with the devices and facts that there are.
struct ScenarioNames {
  let root: JSONValue
  let findings: JSONFindings
  let vocabulary: Vocabulary

  /// Reports every device and fact that does not exist, and every value that a fact cannot have.
  func check(_ scenario: Scenario) {
    for (index, device) in (scenario.devices ?? []).enumerated() { check(device, "devices[\(index)]") }
    for (index, fault) in scenario.faults.enumerated() where fault.kind.strikesDevice {
      check(fault.device, "faults[\(index)].device")
    }
    for (number, client) in scenario.clients.enumerated() {
      for (index, demand) in client.demands.enumerated() {
        check(demand.target, "clients[\(number)].demands[\(index)].target")
      }
      for (index, series) in client.transfers.enumerated() {
        check(series.target, "clients[\(number)].transfers[\(index)].target")
      }
    }
    let all = Vocabulary(manifests: vocabulary.manifests, declared: vocabulary.facts + scenario.declares)
    for (number, change) in scenario.changes.enumerated() {
      for assignment in change.values { check(assignment, in: all, "facts[\(number)].set") }
    }
  }

  private func check(_ device: DeviceID, _ path: String) {
    if vocabulary.device(device) != nil { return }
    findings.report(
      .unknownName, at: root.place(at: path), path: path, "no device is called “\(device)”",
      step: Spelling.advice(for: device.path, among: vocabulary.manifests.map(\.device.path)))
  }

  private func check(_ assignment: FactAssignment, in vocabulary: Vocabulary, _ parent: String) {
    let path = "\(parent).\(assignment.path)"
    let place = root.place(at: path)
    guard let schema = vocabulary.schema(assignment.path) else {
      findings.report(
        .unknownName, at: place, path: path, "no fact is called “\(assignment.path)”",
        step: Spelling.nearest(to: assignment.path, among: vocabulary.facts.map(\.path)).map {
          "did you mean “\($0)”?"
        } ?? "declare it under \"declares\"")
      return
    }
    guard let value = schema.value(from: assignment.text) else {
      findings.report(
        .value, at: place, path: path,
        "\(assignment.path) is \(schema.type.name), and “\(assignment.text)” is not",
        step: "write one that is")
      return
    }
    if let objection = schema.objection(to: value) {
      findings.report(.value, at: place, path: path, objection, step: "write a value within the range")
    }
  }
}
