import StintModel
import StintUnits

extension ImageVerifier {
  static func checkRules(_ image: Image, _ code: CodeCheck) throws(Problem) {
    for (number, rule) in image.rules.enumerated() {
      let place = { "rule \(number) (\(rule.id))" }
      try require(
        isWithin(rule.directives, image.directives.count), .index, place(),
        "the range of its directives is \(rule.directives)")
      for directive in rule.directives {
        try require(
          image.directives[directive].rule == number, .index, place(),
          "directive \(directive) belongs to another rule")
      }
      try require(isWithin(rule.acts, image.acts.count), .index, place(), "its range of acts is \(rule.acts)")
      for act in image.acts[rule.acts] { try check(act, place) }
      try code.check(rule.code, place)
      switch rule.trigger {
      case .level: break
      case .rise(let atMost):
        try require(!rule.code.isEmpty, .stack, place(), "a “when” rule needs a condition")
        try require(
          isWithinTimerLimits(atMost), .value, place(), "its minimum interval is \(atMost ?? .zero)")
      case .period(let period, let flex):
        try require(isWithinTimerLimits(period), .value, place(), "its period is \(period)")
        try require(isWithinTimerLimits(flex), .value, place(), "its flex is \(flex ?? .zero)")
      }
    }
  }

  private static func isWithin(_ range: Range<Int>, _ count: Int) -> Bool {
    (0...count).contains(range.lowerBound) && (0...count).contains(range.upperBound)
  }

  static func checkDirectives(_ image: Image, _ code: CodeCheck) throws(Problem) {
    for (number, directive) in image.directives.enumerated() {
      let place = { "directive \(number)" }
      try require(image.rules.indices.contains(directive.rule), .index, place(), "it belongs to no rule")
      let rule = image.rules[directive.rule]
      try require(rule.directives.contains(number), .index, place(), "its rule does not contain it")
      try check(directive.directive.action, place)
      try code.check(directive.until, place)
      try require(
        (directive.duration ?? .unlimited) >= PolicyLimits.minSpan, .value, place(),
        "its duration is too short")
      try require(
        isWait(directive.duration) && isWait(directive.doublingTo), .value, place(),
        "its duration is too long")
      try require(
        rule.trigger == .level || directive.duration != nil, .value, place(),
        "a directive of a “when” or “every” rule needs an end")
      if let ceiling = directive.doublingTo {
        try require(
          ceiling >= directive.duration ?? .zero, .value, place(),
          "its largest duration is below its first duration")
      }
      try require(directive.atMost.map { $0 > 0 } ?? true, .value, place(), "its limit is below 1")
    }
  }

  private static func check(_ action: Directive.Action, _ place: () -> String) throws(Problem) {
    switch action {
    case .stop, .pause, .locate, .serve, .stopService, .resume: return
    case .start(_, let wants): try check(wants, place)
    case .limitAccuracy(let accuracy):
      try require(isAmount(accuracy), .value, place(), "its accuracy is \(accuracy) m")
    case .slow(let period): try require(isSpan(period), .value, place(), "its period is \(period)")
    case .limitAttributes(let values): try check(values, place)
    case .postpone(let deadline):
      try require(
        isWait(deadline) && (deadline ?? .unlimited) > .zero, .value, place(),
        "its deferral is \(deadline ?? .zero)")
    case .batch(let bounds):
      for bound in bounds {
        let isSound =
          switch bound {
          case .time(let span): isWait(span)
          case .distance(let metres): isAmount(metres)
          case .items(let count): count >= 0
          case .data(let bytes): bytes >= 0
          }
        try require(isSound, .value, place(), "its batch bound is \(bound)")
      }
    }
  }

  private static func check(_ act: Act, _ place: () -> String) throws(Problem) {
    guard case .fix(_, let accuracy, let timeout) = act else { return }
    try require(isAmount(accuracy), .value, place(), "the accuracy of its fix is \(accuracy) m")
    try require(
      isWait(timeout) && timeout > .zero, .value, place(), "the timeout of its fix is \(timeout)")
  }

  static func check(_ wants: DemandSettings, _ place: () -> String) throws(Problem) {
    try require(
      wants.accuracy.map(isAmount) ?? true, .value, place(),
      "its accuracy is \(wants.accuracy ?? 0) m")
    try require(isWait(wants.period), .value, place(), "its period is \(wants.period ?? .zero)")
    try require(isWait(wants.latency), .value, place(), "its latency is \(wants.latency ?? .zero)")
    try check(wants.attributes, place)
    guard let transfer = wants.transfer else { return }
    let bytes: ClosedRange<Int64> = 0...(1 << 56)
    try require(
      bytes.contains(transfer.bytesUp) && bytes.contains(transfer.bytesDown), .value, place(),
      "its transfer has \(transfer.bytesUp) bytes up, \(transfer.bytesDown) down")
    try require(
      isWait(transfer.deadline), .value, place(), "its transfer deadline is \(transfer.deadline ?? .zero)")
  }

  private static func check(_ values: AttributeValues, _ place: () -> String) throws(Problem) {
    for entry in values.sorted {
      let (name, value) = (entry.name, entry.value)
      guard case .quantity(let quantity) = value else { continue }
      try require(quantity.value.isFinite, .value, place(), "its \(name) is \(quantity.value)")
    }
  }

  private static func isAmount(_ value: Double) -> Bool { value.isFinite && value >= 0 }
}
