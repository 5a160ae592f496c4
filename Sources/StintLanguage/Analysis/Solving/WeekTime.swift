import StintUnits

/// The local week, divided into stretches at the times at which schedules change.
struct WeekTime {
  static let day: Int64 = 86_400_000_000_000
  static let week: Int64 = 7 * day

  /// A part of the week in which no schedule changes, in nanoseconds since Monday 00:00.
  struct Stretch: Hashable {
    var from: Int64
    var length: Int64

    /// Returns the time of the week at this offset from the beginning of the stretch.
    func time(after offset: Int64) -> Int64 { (from + offset) % WeekTime.week }
  }

  /// The stretches in the order of the week; a single stretch when no schedule ever changes.
  let stretches: [Stretch]

  init(_ schedules: [CheckedSchedule]) {
    var edges: Set<Int64> = []
    for window in schedules.flatMap(\.windows) {
      for day in 0..<Int64(7) {
        edges.insert(day * Self.day + window.from.nanoseconds % Self.day)
        edges.insert(day * Self.day + window.to.nanoseconds % Self.day)
      }
    }
    // An edge counts only when a schedule has different values before and after it.
    let real = edges.sorted().filter { edge in
      schedules.contains { $0.contains(edge) != $0.contains((edge + Self.week - 1) % Self.week) }
    }
    guard let first = real.first else {
      stretches = [Stretch(from: 0, length: Self.week)]
      return
    }
    let ends = real.dropFirst() + [first + Self.week]
    stretches = zip(real, ends).map { Stretch(from: $0, length: $1 - $0) }
  }
}

extension CheckedSchedule {
  /// Returns true when a time of the week, in nanoseconds since Monday 00:00, is inside one of the windows.
  func contains(_ time: Int64) -> Bool {
    let weekday = Int(time / WeekTime.day)
    let clock = time % WeekTime.day
    func isOn(_ window: Window, _ day: Int) -> Bool { window.days.isEmpty || window.days.contains(day) }
    return windows.contains { window in
      let (from, to) = (window.from.nanoseconds, window.to.nanoseconds)
      if from < to { return isOn(window, weekday) && clock >= from && clock < to }
      return isOn(window, weekday) && clock >= from || isOn(window, (weekday + 6) % 7) && clock < to
    }
  }
}
