import StintUnits

/// A state machine of a policy. Its state is a fact, and rules trigger its transitions.
///
/// Rules first read the state from before a transition. Then they are evaluated again with the new state, at
/// the same instant. A machine performs at most one transition per instant. A second transition at the same
/// instant waits. Without this wait, two states that lead to each other would cause endless transitions at
/// one instant.
struct StateMachine: Sendable {
  /// The transitions: the index of the rule and of the target state. Of several rules in force, the first one
  /// determines the transition.
  private let moves: [(rule: Int, target: Int)]
  /// The instant of the last transition; nil before the first transition.
  private(set) var last: Instant?
  private var pause = MoveDelay()

  init(_ moves: [(rule: Int, target: Int)]) { self.moves = moves }

  private init(_ moves: [(rule: Int, target: Int)], last: Instant?, _ pause: MoveDelay) {
    self.moves = moves
    self.last = last
    self.pause = pause
  }

  /// Returns a copy with other transitions, those of reloaded policies.
  func with(_ moves: [(rule: Int, target: Int)]) -> StateMachine {
    StateMachine(moves, last: last, pause)
  }

  /// Returns a copy with the instant of the last transition before a restart.
  func moved(at instant: Instant?) -> StateMachine { StateMachine(moves, last: instant, pause) }

  /// Returns the target state of the first transition whose rule is in force. Nil when no such rule is in
  /// force.
  func move(_ isActive: [Bool]) -> Int? { moves.first { isActive[$0.rule] }?.target }

  /// Begins a wait if the machine has already moved at this instant. Returns the end of the wait; nil without
  /// a wait.
  mutating func wait(at now: Instant) -> Instant? { last == now ? pause.begin(at: now) : nil }

  /// Records a transition at this instant.
  mutating func moves(at now: Instant) {
    pause.moves(at: now)
    last = now
  }
}

/// The wait before a second transition at one instant. The first wait takes 1 ms. When the machine moves
/// exactly at the end of a wait, the next wait is twice as long, up to one minute.
struct MoveDelay: Sendable {
  private static let shortest = TimeSpan(nanoseconds: 1_000_000)
  private static let longest = TimeSpan.minutes(1)

  private var span = shortest
  /// The end of the last wait; nil before the first wait.
  private var end: Instant?

  /// Begins a wait and returns its end.
  mutating func begin(at now: Instant) -> Instant {
    let end = now + span
    self.end = end
    span = min(span + span, Self.longest)
    return end
  }

  /// Records a transition. After a transition exactly at the end of a wait, the next wait is longer. After
  /// any other transition, the next wait has the shortest length.
  mutating func moves(at now: Instant) {
    if end != now { span = Self.shortest }
  }
}
