import StintModel
import StintUnits

/// The power states of a manifest with what names them: transitions, the first state, the safe one.
struct ManifestStates {
  private(set) var states: [PowerState] = []
  private(set) var transitions: [Transition] = []
  private(set) var initial = 0
  private(set) var safe = 0
  /// Whether all of it could be read; nothing can be said about reaching a state otherwise.
  private var isComplete = true
  /// Whether each state could be read, whatever is wrong with what names them.
  private var hasEveryState = true

  init(_ root: JSONObject, isNeeded: Bool) {
    let items = (isNeeded ? root.required("states") : root.optional("states"))?.items()
    for item in items ?? [] {
      if let state = Self.state(item) { states.append(state) } else { hasEveryState = false }
    }
    isComplete = hasEveryState && (items != nil || !isNeeded)
    let names = (items ?? []).map { $0.value["name"]?.string ?? "" }
    for item in root.optional("transitions")?.items() ?? [] {
      if let transition = Self.transition(item, names) {
        transitions.append(transition)
      } else {
        isComplete = false
      }
    }
    initial = index(root, "initial", names)
    safe = index(root, "safe", names)
  }

  /// Whether a fault of the states is one of the file, and not of parts that could not be read.
  func vouch(for fault: ManifestFault) -> Bool {
    fault.path.hasSuffix(".name") ? hasEveryState : isComplete
  }

  private static func state(_ field: JSONField) -> PowerState? {
    guard let object = field.object(keys: ["name", "power", "per_hertz", "on"]) else { return nil }
    let name = object.required("name")?.text()
    let power = object.required("power")?.power()
    let perHertz = object.optional("per_hertz").map { $0.power() } ?? .zero
    let isOn = object.required("on")?.flag()
    guard let name, let power, let perHertz, let isOn else { return nil }
    return PowerState(name: name, power: power, perHertz: perHertz, isOn: isOn)
  }

  private static func transition(_ field: JSONField, _ names: [String]) -> Transition? {
    guard let items = field.items() else { return nil }
    guard items.count == 2 else {
      field.report(
        .value, "a transition names two states, and \(items.count) stand here",
        step: "write it as [\"off\", \"search\"]")
      return nil
    }
    guard let from = stateIndex(items[0], names), let to = stateIndex(items[1], names) else { return nil }
    return Transition(from: from, to: to)
  }

  private static func stateIndex(_ field: JSONField, _ names: [String]) -> Int? {
    guard let name = field.text() else { return nil }
    if let index = names.firstIndex(of: name) { return index }
    field.report(.unknownName, "no state is named “\(name)”", step: Spelling.advice(for: name, among: names))
    return nil
  }

  /// The state that a key names; required where there are states at all.
  private mutating func index(_ root: JSONObject, _ key: String, _ names: [String]) -> Int {
    let field = names.isEmpty ? root.optional(key) : root.required(key)
    if let index = field.flatMap({ Self.stateIndex($0, names) }) { return index }
    if field != nil || !names.isEmpty { isComplete = false }
    return 0
  }
}
