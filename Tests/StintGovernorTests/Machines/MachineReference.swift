/// A reference model of state machines, which computes states and rules from the complete history. The model
/// is slow and shares no code with the governor.
struct MachineReference {
  /// A period of the history without a change of a fact or a state, with the values of facts and states.
  struct Page {
    /// The first millisecond of the page.
    var time: Int
    var level: Int?
    var isWalking: Bool?
    var states: [Int]
  }

  private let machines: RandomMachines
  /// All pages of the history, including those with no duration.
  private var pages: [Page]
  private var lastMove: [Int?]
  private var waitsUntil: [Int?]
  /// For each state machine: the ends of its consecutive waits. Each transition empties the list, except a
  /// transition exactly at the end of the last wait.
  private var waitEnds: [[Int]]
  private(set) var activeLevelRules: [String] = []
  /// The `when` and `every` rules that have acted, in order of time.
  private(set) var acted: [String] = []

  var states: [Int] { pages[pages.count - 1].states }

  init(_ machines: RandomMachines) {
    self.machines = machines
    pages = []
    lastMove = machines.states.map { _ in nil }
    waitsUntil = machines.states.map { _ in nil }
    waitEnds = machines.states.map { _ in [] }
    turn(Page(time: 0, states: machines.states.map { _ in 0 }))
    settle(at: 0)
  }

  /// Begins the given millisecond.
  mutating func pass(to time: Int) {
    for machine in waitsUntil.indices where waitsUntil[machine] == time { waitsUntil[machine] = nil }
    var page = pages[pages.count - 1]
    page.time = time
    turn(page)
    settle(at: time)
  }

  mutating func set(level: Int?, at time: Int) {
    var page = pages[pages.count - 1]
    page.level = level
    turn(page)
    settle(at: time)
  }

  mutating func set(isWalking: Bool?, at time: Int) {
    var page = pages[pages.count - 1]
    page.isWalking = isWalking
    turn(page)
    settle(at: time)
  }

  /// Evaluates all machines on the same page. After a transition, begins a new page and evaluates all
  /// machines again.
  private mutating func settle(at time: Int) {
    while true {
      var page = pages[pages.count - 1]
      var hasMoved = false
      for (machine, ways) in machines.ways.enumerated() {
        let state = states[machine]
        let way = ways.first {
          $0.from == state && value(machines.condition(of: $0, machine), at: pages.count - 1) == true
        }
        guard let way, waitsUntil[machine] == nil else { continue }
        if lastMove[machine] == time {
          waitEnds[machine].append(time + 1 << waitEnds[machine].count)
          waitsUntil[machine] = waitEnds[machine].last
        } else {
          if waitEnds[machine].last != time { waitEnds[machine] = [] }
          lastMove[machine] = time
          page.states[machine] = way.to
          hasMoved = true
        }
      }
      guard hasMoved else { return }
      turn(page)
    }
  }

  private mutating func turn(_ page: Page) {
    pages.append(page)
    let place = pages.count - 1
    activeLevelRules = []
    for rule in machines.rules {
      let condition = machines.condition(of: rule)
      guard value(condition, at: place) == true else { continue }
      if !rule.isEdge {
        activeLevelRules.append(rule.name)
      } else if place == 0 || value(condition, at: place - 1) != true {
        acted.append(rule.name)
      }
    }
  }

  // MARK: Conditions

  private func value(_ condition: ModelCondition, at place: Int) -> Bool? {
    let page = pages[place]
    switch condition {
    case .above(let percent): return page.level.map { $0 > percent }
    case .walking: return page.isWalking
    case .state(let machine, let states): return states.contains(page.states[machine])
    case .not(let operand): return value(operand, at: place).map { !$0 }
    case .and(let left, let right):
      return joined(value(left, at: place), value(right, at: place), decisive: false)
    case .or(let left, let right):
      return joined(value(left, at: place), value(right, at: place), decisive: true)
    case .heldFor(let operand, let span): return heldFor(operand, span, at: place)
    case .inLast(let operand, let span): return remembered(operand, span, at: place)
    }
  }

  private func joined(_ left: Bool?, _ right: Bool?, decisive: Bool) -> Bool? {
    if left == decisive || right == decisive { return decisive }
    return left == nil || right == nil ? nil : !decisive
  }

  private func heldFor(_ operand: ModelCondition, _ span: Int, at place: Int) -> Bool? {
    guard let now = value(operand, at: place) else { return nil }
    guard now else { return false }
    var first = place
    while first > 0, value(operand, at: first - 1) == true {
      first -= 1
      if pages[place].time - pages[first].time >= span { return true }
    }
    return pages[place].time - pages[first].time >= span
  }

  private func remembered(_ operand: ModelCondition, _ span: Int, at place: Int) -> Bool? {
    let now = value(operand, at: place)
    if now == true { return true }
    // A value on a page was valid until the next page.
    for earlier in stride(from: place, to: 0, by: -1) {
      guard pages[place].time - pages[earlier].time < span else { break }
      if value(operand, at: earlier - 1) == true { return true }
    }
    return now
  }
}
