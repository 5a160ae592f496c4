import StintUnits

/// A state machine of a policy: its state is a fact, and rules lead from one state to the next.
///
/// Rules read the state from before the step that moves it; then rules are evaluated again with the new state, at the
/// same instant. It moves once at an instant. One that would move again at once waits, so that two states that lead to
/// each other cannot hold up time.
struct StateMachine: Sendable {
  /// The rules that lead out of states, and where to; the first that holds counts.
  private let moves: [(rule: Int, target: Int)]
  /// When it moved last; nil where it never did.
  private(set) var last: Instant?
  private var pause = MoveDelay()

  init(_ moves: [(rule: Int, target: Int)]) { self.moves = moves }

  private init(_ moves: [(rule: Int, target: Int)], last: Instant?, _ pause: MoveDelay) {
    self.moves = moves
    self.last = last
    self.pause = pause
  }

  /// The machine with the moves of other policies.
  func with(_ moves: [(rule: Int, target: Int)]) -> StateMachine {
    StateMachine(moves, last: last, pause)
  }

  /// The machine as it was before a restart.
  func moved(at instant: Instant?) -> StateMachine { StateMachine(moves, last: instant, pause) }

  /// The state that the first rule which holds leads to; nil where none does.
  func move(_ isHeld: [Bool]) -> Int? { moves.first { isHeld[$0.rule] }?.target }

  /// Begins a wait where the machine has moved at this instant; returns when the wait ends, else nil.
  mutating func wait(at now: Instant) -> Instant? { last == now ? pause.begin(at: now) : nil }

  /// Notes that the machine moves.
  mutating func moves(at now: Instant) {
    pause.moves(at: now)
    last = now
  }
}

/// How long a state machine waits that would move twice at an instant: a millisecond, then twice as long each time that
/// it moves again as soon as it may, up to a minute.
struct MoveDelay: Sendable {
  private static let shortest = TimeSpan(nanoseconds: 1_000_000)
  private static let longest = TimeSpan.minutes(1)

  private var span = shortest
  /// When the last wait ended or ends; nil before any.
  private var end: Instant?

  /// Waits from an instant on; returns until when.
  mutating func begin(at now: Instant) -> Instant {
    let end = now + span
    self.end = end
    span = min(span + span, Self.longest)
    return end
  }

  /// Notes a move; the next wait is short again unless the machine moved as soon as its wait was over.
  mutating func moves(at now: Instant) {
    if end != now { span = Self.shortest }
  }
}
