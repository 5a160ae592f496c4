import StintGovernor
import StintModel
import StintUnits

extension DaemonState {
  func write(to bytes: inout ByteWriter) {
    bytes.text(worldFingerprint)
    bytes.optional(generations.current) { $1.write(to: &$0) }
    bytes.list(generations.earlier) { $1.write(to: &$0) }
    bytes.list(watchedPolicies) { $1.write(to: &$0) }
    memory.write(to: &bytes)
    clock.write(to: &bytes)
  }

  init(from reader: inout ByteReader) throws(CodingFault) {
    let worldFingerprint = try reader.text()
    let current = try reader.optional { (reader: inout ByteReader) throws(CodingFault) in
      try PolicyGeneration(from: &reader)
    }
    let earlier = try reader.list { (reader: inout ByteReader) throws(CodingFault) in
      try PolicyGeneration(from: &reader)
    }
    let watchedPolicies = try reader.list { (reader: inout ByteReader) throws(CodingFault) in
      try JournalPolicy(from: &reader)
    }
    self.init(
      worldFingerprint: worldFingerprint, generations: PolicyGenerations(current: current, earlier: earlier),
      watchedPolicies: watchedPolicies,
      memory: try GovernorMemory(from: &reader))
  }
}

extension PersistedClock {
  fileprivate func write(to bytes: inout ByteWriter) {
    bytes.integer(ahead.nanoseconds)
    bytes.text(boot)
    bytes.integer(steady.nanoseconds)
  }

  init(from reader: inout ByteReader) throws(CodingFault) {
    let ahead = TimeSpan(nanoseconds: try reader.integer())
    guard ahead >= TimeSpan.zero - TimeZoneRules.farthest, ahead <= TimeZoneRules.farthest else {
      throw CodingFault(
        offset: reader.position - 8,
        expected: "an offset of at most 100 years between the wall clock and the run's time")
    }
    let boot = try reader.text()
    let steady = try reader.integer()
    guard steady >= 0 else {
      throw CodingFault(offset: reader.position - 8, expected: "a time since the boot")
    }
    self.init(ahead: ahead, boot: boot, steady: MonotonicInstant(nanoseconds: steady))
  }
}

extension PolicyGeneration {
  fileprivate func write(to bytes: inout ByteWriter) {
    bytes.list(policies) { $1.write(to: &$0) }
    bytes.text(origin.rawValue)
    bytes.integer(since.nanoseconds)
  }

  fileprivate init(from reader: inout ByteReader) throws(CodingFault) {
    let policies = try reader.list { (reader: inout ByteReader) throws(CodingFault) in
      try JournalPolicy(from: &reader)
    }
    guard let origin = Origin(rawValue: try reader.text()) else {
      throw CodingFault(offset: reader.position, expected: "the origin of policies")
    }
    self.init(policies: policies, origin: origin, since: Instant(nanoseconds: try reader.integer()))
  }
}

extension JournalPolicy {
  fileprivate func write(to bytes: inout ByteWriter) {
    bytes.text(file)
    bytes.text(text)
  }

  fileprivate init(from reader: inout ByteReader) throws(CodingFault) {
    let file = try reader.text()
    self.init(file: file, text: try reader.text())
  }
}

extension ByteWriter {
  mutating func list<Value>(_ values: [Value], _ write: (inout ByteWriter, Value) -> Void) {
    integer(Int64(values.count))
    for value in values { write(&self, value) }
  }

  mutating func instant(_ value: Instant?) { optional(value) { $0.integer($1.nanoseconds) } }

  mutating func boolean(_ value: Bool) { byte(value ? 1 : 0) }
}

extension ByteReader {
  /// Reads an array. Each element takes at least one byte, so an invalid count cannot cause a
  /// large allocation.
  mutating func list<Value>(
    _ read: (inout ByteReader) throws(CodingFault) -> Value
  ) throws(CodingFault) -> [Value] {
    var values: [Value] = []
    for _ in 0..<(try count()) { values.append(try read(&self)) }
    return values
  }

  mutating func instant() throws(CodingFault) -> Instant? {
    try optional { (reader: inout ByteReader) throws(CodingFault) in
      Instant(nanoseconds: try reader.integer())
    }
  }

  mutating func boolean() throws(CodingFault) -> Bool {
    switch try byte() {
    case 0: return false
    case 1: return true
    default: throw CodingFault(offset: position - 1, expected: "0 or 1")
    }
  }
}
