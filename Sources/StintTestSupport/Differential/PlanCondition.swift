import StintModel

/// A condition of a random policy; spans are counted in units of the world.
indirect enum PlanCondition: Hashable, Sendable {
  /// A fact that is true or false.
  case flag(PlanWorld.Fact)
  /// Whether the fact is one of the words.
  case words(PlanWorld.Fact, [Int])
  case known(PlanWorld.Fact)
  case age(PlanWorld.Fact, Comparison, Int)
  case demanded(PlanWorld.Device)
  case isOn(PlanWorld.Device)
  case available(PlanWorld.Device)
  /// By the place of the schedule in its policy.
  case schedule(Int)
  case zone(ZoneQuestion, Int)
  case compare(PlanAmount, Comparison, PlanAmount)
  /// `between`, with its limits in metres.
  case between(PlanAmount, Int, Int)
  /// `avg` and `trend`, against a bound that none of their values meets.
  case smooth(WindowFunction, PlanWorld.Fact, Int, Comparison, Int)
  case latch(LatchSide, PlanAmount, threshold: Int, release: Int)
  /// The battery's level in percent.
  case level(Comparison, Int)
  case levelLatch(LatchSide, threshold: Int, release: Int)
  /// How often the fact came within the given number of units.
  case count(PlanWorld.Fact, Int, Comparison, Int)
  /// More often than `moreThan` and a half times in the given number of units.
  case rate(PlanWorld.Fact, Int, moreThan: Int)
  /// The used share of a budget, in percent.
  case share(Int, Comparison, Int)
  /// More often in an hour than `moreThan` and a half times.
  case wakeups(PlanWorld.Device, moreThan: Int)
  /// More since midnight than slightly above `moreThan` units of its power.
  case energy(PlanWorld.Device, moreThan: Int)
  case explained
  /// By the place of the machine in its policy.
  case states(Int, [Int])
  /// A `let` of the policy.
  case named(Int)
  case not(PlanCondition)
  case and([PlanCondition])
  case or([PlanCondition])
  case implies(PlanCondition, PlanCondition)
  case heldFor(PlanCondition, Int, tolerate: Int?)
  case inLast(PlanCondition, Int)
}
