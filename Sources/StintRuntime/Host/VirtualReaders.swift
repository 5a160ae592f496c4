/// The readers of streams. Virtual time does not advance while one of them processes an element.
struct VirtualReaders: Sendable {
  private struct Reader {
    var isWaiting: @Sendable () -> Bool
    /// The task that reads; nil outside of tasks.
    var task: Int?
    /// True when time does not wait for the reader, although it processes an element. False again from its
    /// next read on.
    var isExcused = false
  }

  private var readers: [UInt64: Reader] = [:]

  /// True when no reader processes an element, except excused readers.
  var allAreIdle: Bool { busy.allSatisfy { readers[$0]?.isExcused == true } }

  /// The readers that process an element. While a task waits for an element of one reader, no reader of this
  /// task counts as busy, because the task processes no element.
  var busy: [UInt64] {
    let waiting = readers.mapValues { $0.isWaiting() }
    let tasks = Set(readers.compactMap { number, reader in waiting[number] == true ? reader.task : nil })
    return readers.compactMap { number, reader in
      waiting[number] == true || reader.task.map(tasks.contains) == true ? nil : number
    }
  }

  mutating func beginReading(_ number: UInt64, in task: Int?, isWaiting: @escaping @Sendable () -> Bool) {
    readers[number] = Reader(isWaiting: isWaiting, task: task)
  }

  mutating func endReading(_ number: UInt64) { readers[number] = nil }

  mutating func excuse(_ numbers: [UInt64]) { for number in numbers { readers[number]?.isExcused = true } }

  mutating func excuse(in task: Int?) {
    for (number, reader) in readers where reader.task == task { readers[number]?.isExcused = true }
  }
}
