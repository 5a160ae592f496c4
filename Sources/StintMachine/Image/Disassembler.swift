import StintModel
import StintUnits

/// Prints an image as text, for people and tests; any image, verified or not.
public struct Disassembler {
  private let image: Image
  private let factName: (Int) -> String

  /// Prepares to print an image; `factName` names facts by their numbers in the vocabulary.
  public init(_ image: Image, factName: @escaping (Int) -> String = { "fact \($0)" }) {
    self.image = image
    self.factName = factName
  }

  /// The whole image, one thing a line; the same bytes for the same image.
  public var text: String {
    var lines: [String] = []
    for place in image.slots.indices {
      lines.append("slot \(place): \(describe(image.slots[place].kind)), \(image.slots[place].key)")
    }
    for place in image.rules.indices { lines += self.lines(ofRule: place) }
    for pair in image.overrides { lines.append("rule \(pair.winner) over rule \(pair.loser)") }
    return lines.map { $0 + "\n" }.joined()
  }

  private func lines(ofRule place: Int) -> [String] {
    let rule = image.rules[place]
    var lines = ["rule \(place): \(rule.id), \(describe(rule.trigger))\(rule.isInert ? ", inert" : "")"]
    lines += code(rule.code, indent: "  ")
    for number in rule.directives.clamped(to: image.directives.indices) {
      let directive = image.directives[number]
      lines.append("  directive \(number): \(describe(directive))")
      if !directive.until.isEmpty { lines += ["    until"] + code(directive.until, indent: "      ") }
    }
    for number in rule.acts.clamped(to: image.acts.indices) {
      lines.append("  act \(number): \(image.acts[number])")
    }
    return lines
  }

  private func code(_ range: Range<Int>, indent: String) -> [String] {
    range.clamped(to: image.code.indices).map { "\(indent)\($0): \(describe(image.code[$0]))" }
  }

  // MARK: One thing

  private func describe(_ instruction: Instruction) -> String {
    switch instruction {
    case .constant(let place): "constant \(constant(place))"
    case .fact(let place): "fact \(name(place))"
    case .known(let place): "known \(name(place))"
    case .age(let place, let comparison, let span):
      "age \(name(place)) \(comparison.rawValue) \(self.span(span))"
    case .compareFact(let place, let comparison, let other):
      "compare \(name(place)) \(comparison.rawValue) \(constant(other))"
    case .demanded(let place):
      "demanded \(image.devices.indices.contains(place) ? image.devices[place].path : missing(place))"
    case .schedule(let place): "schedule \(place)"
    case .window(let slot): "window, slot \(slot)"
    case .compare(let comparison): "compare \(comparison.rawValue)"
    case .arithmetic(let operation): "arithmetic \(operation.rawValue)"
    case .oneOf(let first, let count): "one of \(constants(first, count))"
    case .latch(let slot): "latch, slot \(slot)"
    case .heldFor(let slot): "held for, slot \(slot)"
    case .inLast(let slot): "in last, slot \(slot)"
    case .not, .and, .or, .negate: "\(instruction)"
    }
  }

  private func describe(_ kind: ImageSlot.Kind) -> String {
    switch kind {
    case .latch(let side): "latch \(side.rawValue)"
    case .heldFor(let span, let tolerate): "for \(span)" + (tolerate.map { " tolerate \($0)" } ?? "")
    case .inLast(let span): "in last \(span)"
    case .window(let function, let fact, let span, let capacity):
      "\(function.rawValue) of \(name(fact)) over \(span), room for \(capacity)"
    }
  }

  private func describe(_ trigger: ImageRule.Trigger) -> String {
    switch trigger {
    case .level: "while"
    case .rise(let atMost): "when" + (atMost.map { ", at most once in \($0)" } ?? "")
    case .period(let period, let flex): "every \(period)" + (flex.map { " flex \($0)" } ?? "")
    }
  }

  private func describe(_ entry: ImageDirective) -> String {
    var text = "\(entry.directive.action) \(entry.directive.targets.map(\.path).joined(separator: ", "))"
    if !entry.directive.exceptions.isEmpty {
      text += " except \(entry.directive.exceptions.map(\.name).joined(separator: ", "))"
    }
    if let duration = entry.duration { text += " for \(duration)" }
    if let ceiling = entry.doublingTo { text += " doubling to \(ceiling)" }
    if let most = entry.atMost { text += " at most \(most) times" }
    return text
  }

  // MARK: Places

  private func missing(_ place: Int) -> String { "missing (\(place))" }

  private func name(_ place: Int) -> String {
    image.facts.indices.contains(place) ? factName(image.facts[place].number) : missing(place)
  }

  private func span(_ place: Int) -> String {
    image.spans.indices.contains(place) ? "\(image.spans[place])" : missing(place)
  }

  private func constant(_ place: Int) -> String {
    image.constants.indices.contains(place) ? "\(image.constants[place])" : missing(place)
  }

  private func constants(_ first: Int, _ count: Int) -> String {
    // An image that nobody has verified may claim any count.
    guard first >= 0, count >= 0, first <= image.constants.count, count <= image.constants.count - first
    else { return missing(first) }
    return (first..<first + count).map(constant).joined(separator: ", ")
  }
}
