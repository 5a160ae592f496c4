/// Which rules must be looked at when something changes; worked out once, when a machine is made.
struct Dependencies {
  var readers: [[Int]]
  var refreshed: [[Int]]
  var windows: [[Int]]
  var demandReaders: [[Int]]

  init(_ image: Image) {
    readers = Array(repeating: [], count: image.facts.count)
    refreshed = readers
    windows = readers
    demandReaders = Array(repeating: [], count: image.devices.count)
    for (number, slot) in image.slots.enumerated() {
      if case .window(_, let fact, _, _) = slot.kind { windows[fact].append(number) }
    }
    for (number, rule) in image.rules.enumerated() {
      note(rule.code, of: number, image)
      for directive in rule.directives { note(image.directives[directive].until, of: number, image) }
    }
  }

  private mutating func note(_ code: Range<Int>, of rule: Int, _ image: Image) {
    for place in code {
      switch image.code[place] {
      case .fact(let fact), .known(let fact), .compareFact(let fact, _, _): Self.add(rule, to: &readers[fact])
      case .age(let fact, _, _):
        Self.add(rule, to: &readers[fact])
        Self.add(rule, to: &refreshed[fact])
      case .window(let slot):
        if case .window(_, let fact, _, _) = image.slots[slot].kind { Self.add(rule, to: &refreshed[fact]) }
      case .demanded(let device): Self.add(rule, to: &demandReaders[device])
      default: continue
      }
    }
  }

  private static func add(_ rule: Int, to list: inout [Int]) {
    if list.last != rule { list.append(rule) }
  }
}
