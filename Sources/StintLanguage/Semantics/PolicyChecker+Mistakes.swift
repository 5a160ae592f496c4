import StintModel

/// Recognizes frequent mistakes in the names of facts and reports them with the right form.
extension PolicyChecker {
  /// Reports a fact in the form of a function, as in `powered(gps)`. Returns false for any other call.
  mutating func reportFactAsFunction(_ call: FunctionDefinition.Call) -> Bool {
    guard call.arguments.count == 1, case .path(let argument) = call.arguments[0].kind,
      let device = namedDevice(argument)
    else { return false }
    let fact = Name(text: "\(argument.text).\(call.name.text)", span: call.span)
    guard vocabulary.fact("\(device).\(call.name.text)") != nil || observation(fact) != nil else {
      return false
    }
    used.insert(argument.text)
    report(
      .unknownFunction, "“\(call.name.text)” is a fact of \(device), and not a function", call.span,
      hint: "did you mean “\(fact.text)”?",
      fix: Diagnostic.Fix(span: call.span, replacement: fact.text))
    return true
  }

  /// Reports a device in place of a fact, as in `known(gps)`. Returns false for any other argument.
  mutating func reportDeviceAsFact(_ function: Name, _ arguments: [SyntaxExpression]) -> Bool {
    guard let (argument, manifest) = onlyDevice(in: arguments) else { return false }
    used.insert(argument.text)
    let prefix = manifest.device.path + "."
    let example = (manifest.facts.first { manifest.isSensed($0) } ?? manifest.facts.first).map { fact in
      fact.path.hasPrefix(prefix) ? "\(argument.text).\(fact.path.dropFirst(prefix.count))" : fact.path
    }
    report(
      .badArguments, "“\(function.text)” takes a fact, and “\(argument.text)” is a device", argument.span,
      hint: "name one of its facts, as in: \(function.text)(\(example ?? "\(argument.text).state"))")
    return true
  }

  /// Reports a state of a state machine in the form of a fact, as in `trip.idle`. Returns false for any other
  /// name.
  mutating func reportStateAsFact(_ name: Name) -> Bool {
    let words = name.text.split(separator: ".").map(String.init)
    guard words.count == 2, let path = computedNames[words[0]],
      case .symbol(let states)? = vocabulary.schema(path)?.type
    else { return false }
    let isState = states.contains(words[1])
    let meant = "\(words[0]) is \(isState ? words[1] : states.first ?? "STATE")"
    report(
      .unknownFact, "“\(words[0])” is a state machine, and has no facts", name.span,
      hint: isState
        ? "did you mean “\(meant)”?"
        : "compare it with a state, as in: \(meant); its states are \(states.joined(separator: ", "))",
      fix: isState ? Diagnostic.Fix(span: name.span, replacement: meant) : nil)
    return true
  }

  /// Reports a channel of bytes in place of a fact. Returns false for any other name.
  mutating func reportBytesAsFact(_ name: Name) -> Bool {
    guard let last = name.text.lastIndex(of: ".") else { return false }
    let (owner, word) = (String(name.text[..<last]), name.text[name.text.index(after: last)...])
    let device = aliases[owner]?.device ?? DeviceID(owner)
    guard let manifest = vocabulary.manifest(device),
      manifest.byteChannels.contains(where: { $0.name == word })
    else { return false }
    report(
      .unknownFact, "“\(word)” of \(device) is a channel of bytes, which policies cannot read", name.span,
      hint: "apps receive its bytes; a rule needs a fact of the device")
    return true
  }

  /// Reports a name that the device of an alias does not publish, with the names that the device publishes.
  mutating func reportUnpublished(_ name: Name, of alias: String, _ device: DeviceID, _ word: String) {
    let title = "\(device) does not publish “\(word)”"
    let prefix = device.path + "."
    // A device can publish facts whose paths do not begin with its name, such as motion.activity.
    let others = vocabulary.facts.prefix(vocabulary.firstComputed)
      .filter { $0.device == device && !$0.path.hasPrefix(prefix) }.map(\.path)
    if let meant = others.first(where: { $0.hasSuffix("." + word) }) {
      report(
        .unknownFact, title, name.span, hint: "did you mean “\(meant)”?",
        fix: Diagnostic.Fix(span: name.span, replacement: meant))
      return
    }
    var names = vocabulary.facts.map(\.path).filter { $0.hasPrefix(prefix) }
      .map { "\(alias).\($0.dropFirst(prefix.count))" }
    for observed in ["batch_done", "failed", "powered"].map({ "\(alias).\($0)" })
    where !names.contains(observed) && observation(Name(text: observed, span: name.span)) != nil {
      names.append(observed)
    }
    names = names.sorted() + others
    reportUnknown(
      .unknownFact, title, name.span, name.text, among: names,
      else: "it publishes \(names.joined(separator: ", "))")
  }

  /// Returns the only argument and the manifest of its device; nil for any other arguments.
  func onlyDevice(in arguments: [SyntaxExpression]) -> (name: Name, manifest: Manifest)? {
    guard arguments.count == 1, case .path(let argument) = arguments[0].kind,
      vocabulary.fact(argument.text) == nil, let device = namedDevice(argument),
      let manifest = vocabulary.manifest(device)
    else { return nil }
    return (argument, manifest)
  }

  private func namedDevice(_ name: Name) -> DeviceID? {
    let device = aliases[name.text]?.device ?? DeviceID(name.text)
    return vocabulary.manifest(device) == nil ? nil : device
  }

  /// Returns whether a name occurs in the file outside of its declaration. After an error, such a name can be
  /// in use, although no checked expression contains it.
  func isMentioned(_ name: String, besides declaration: SourceSpan) -> Bool {
    let (word, bytes) = (Array(name.utf8), source.bytes)
    guard !word.isEmpty, bytes.count >= word.count else { return false }
    func isPart(_ place: Int) -> Bool {
      guard bytes.indices.contains(place) else { return false }
      switch bytes[place] {
      case 0x30...0x39, 0x41...0x5A, 0x61...0x7A, 0x5F: return true
      default: return false
      }
    }
    return (0...(bytes.count - word.count)).contains { start in
      start != declaration.start && bytes[start..<(start + word.count)].elementsEqual(word)
        && !isPart(start - 1) && !isPart(start + word.count)
    }
  }
}
