import StintModel
import StintUnits

/// Reads the values of simulated devices, in the format that `ScriptedValue` describes.
extension ScenarioReader {
  private static let shapes = ["constant", "ramp", "sine", "steps", "csv"]

  static func scriptedValue(_ field: JSONField) -> ScriptedValue? {
    guard let object = field.object(keys: ["of", "noise"] + shapes) else { return nil }
    let path = object.required("of")?.text()
    let present = shapes.filter { object.optional($0) != nil }
    guard present.count == 1, let name = present.first, let field = object.optional(name) else {
      object.report(
        present.isEmpty ? .missing : .duplicate,
        present.isEmpty ? "the shape is missing" : "\(present.joined(separator: " and ")) exclude each other",
        remedy: "write one of \(shapes.joined(separator: ", "))")
      return nil
    }
    let noise = object.optional("noise").flatMap { Self.noise($0) }
    guard let path, let shape = Self.shape(name, field) else { return nil }
    return ScriptedValue(path: path, shape: shape, noise: noise)
  }

  private static func shape(_ name: String, _ field: JSONField) -> ScriptedValue.Shape? {
    switch name {
    case "constant": text(field).map { .steps([ScriptedValue.Step(at: .zero, text: $0)]) }
    case "ramp": ramp(field)
    case "sine": sine(field)
    case "steps": steps(field)
    default: table(field)
    }
  }

  /// Reads a value: a string, true, false, or null for unknown.
  private static func text(_ field: JSONField) -> String? { assignment("", field)?.text }

  private static func ramp(_ field: JSONField) -> ScriptedValue.Shape? {
    guard let object = field.object(keys: ["from", "to", "over", "repeat"]) else { return nil }
    let from = object.required("from")?.text()
    let to = object.required("to")?.text()
    let over = object.required("over")?.span(like: "2 h", atLeast: TimeSpan(nanoseconds: 1))
    let isRepeated = object.optional("repeat")?.flag() ?? false
    guard let from, let to, let over else { return nil }
    return .ramp(from: from, to: to, over: over, isRepeated: isRepeated)
  }

  private static func sine(_ field: JSONField) -> ScriptedValue.Shape? {
    guard let object = field.object(keys: ["mean", "swing", "period", "peak"]) else { return nil }
    let mean = object.required("mean")?.text()
    let swing = object.required("swing")?.text()
    let period = object.required("period")?.span(like: "24 h", atLeast: TimeSpan(nanoseconds: 1))
    let peak = object.optional("peak")?.span(like: "15 h") ?? .zero
    guard let mean, let swing, let period else { return nil }
    return .sine(mean: mean, swing: swing, period: period, peak: peak)
  }

  private static func steps(_ field: JSONField) -> ScriptedValue.Shape? {
    guard let items = field.items() else { return nil }
    var steps: [ScriptedValue.Step] = []
    for item in items {
      guard let object = item.object(keys: ["at", "to"]) else { return nil }
      let text = object.required("to").flatMap { Self.text($0) }
      guard let at = object.required("at")?.span(like: "1 h"), let text else { return nil }
      if let last = steps.last, at <= last.at {
        object.optional("at")?.report(
          .order, "this step is not after the step before it", remedy: "sort the steps by time")
      }
      steps.append(ScriptedValue.Step(at: at, text: text))
    }
    if steps.isEmpty { field.report(.empty, "the array is empty", remedy: "write at least one step") }
    return .steps(steps)
  }

  private static func table(_ field: JSONField) -> ScriptedValue.Shape? {
    guard let object = field.object(keys: ["file", "column", "unit", "repeat"]) else { return nil }
    let file = object.required("file")?.text()
    let column = object.required("column")?.text()
    let unit = object.optional("unit")?.text()
    let isRepeated = object.optional("repeat")?.flag() ?? false
    guard let file, let column else { return nil }
    let isRelative = !file.hasPrefix("/")
    let source = field.findings.source
    let folder = source.lastIndex(of: "/").map { source[...$0] } ?? ""
    return .table(
      file: isRelative ? folder + file : file, column: column, unit: unit, isRepeated: isRepeated)
  }

  private static func noise(_ field: JSONField) -> ScriptedValue.Noise? {
    guard let object = field.object(keys: ["sd", "seed"]) else { return nil }
    let deviation = object.required("sd")?.text()
    let seed = object.optional("seed")?.integer(in: 0...Int.max)
    return deviation.map { ScriptedValue.Noise(deviation: $0, seed: seed.map { UInt64($0) }) }
  }
}
