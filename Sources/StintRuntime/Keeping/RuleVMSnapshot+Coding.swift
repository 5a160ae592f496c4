import StintMachine
import StintModel
import StintUnits

extension RuleVMSnapshot {
  func write(to bytes: inout ByteWriter) {
    bytes.list(slots) { $1.write(to: &$0) }
    bytes.list(rules) { $1.write(to: &$0) }
  }

  init(from reader: inout ByteReader) throws(CodingFault) {
    self.init()
    slots = try reader.list { (reader: inout ByteReader) throws(CodingFault) in try Slot(from: &reader) }
    rules = try reader.list { (reader: inout ByteReader) throws(CodingFault) in try Rule(from: &reader) }
  }
}

extension RuleID {
  fileprivate func write(to bytes: inout ByteWriter) {
    bytes.text(policy)
    bytes.text(rule)
  }

  fileprivate init(from reader: inout ByteReader) throws(CodingFault) {
    let policy = try reader.text()
    self.init(policy: policy, rule: try reader.text())
  }
}

extension RuleVMSnapshot.Slot {
  fileprivate func write(to bytes: inout ByteWriter) {
    key.rule.write(to: &bytes)
    bytes.text(key.structure)
    bytes.integer(Int64(key.occurrence))
    bytes.boolean(isClosed)
    bytes.instant(since)
    bytes.instant(gap)
    bytes.list(Array(zip(instants, values))) { bytes, sample in
      bytes.integer(sample.0.nanoseconds)
      bytes.number(sample.1)
    }
  }

  fileprivate init(from reader: inout ByteReader) throws(CodingFault) {
    let rule = try RuleID(from: &reader)
    let structure = try reader.text()
    self.init(key: SlotKey(rule: rule, structure: structure, occurrence: Int(try reader.integer())))
    isClosed = try reader.boolean()
    since = try reader.instant()
    gap = try reader.instant()
    for _ in 0..<(try reader.count()) {
      instants.append(Instant(nanoseconds: try reader.integer()))
      values.append(try reader.number())
    }
    guard zip(instants, instants.dropFirst()).allSatisfy({ $0 < $1 }) else {
      throw CodingFault(offset: reader.position, expected: "values in ascending order of time")
    }
  }
}

extension RuleVMSnapshot.Rule {
  fileprivate func write(to bytes: inout ByteWriter) {
    id.write(to: &bytes)
    bytes.text(structure)
    bytes.byte(truth == .yes ? 2 : truth == .unknown ? 1 : 0)
    bytes.boolean(isActive)
    bytes.instant(lastFired)
    bytes.instant(nextPeriod)
    bytes.list(runs) { bytes, run in
      bytes.boolean(run.isInForce)
      bytes.instant(run.end)
      bytes.integer(Int64(run.count))
      bytes.instant(run.lastEnd)
    }
  }

  fileprivate init(from reader: inout ByteReader) throws(CodingFault) {
    let id = try RuleID(from: &reader)
    self.init(id: id, structure: try reader.text())
    switch try reader.byte() {
    case 0: truth = .no
    case 1: truth = .unknown
    case 2: truth = .yes
    default: throw CodingFault(offset: reader.position - 1, expected: "0, 1 or 2")
    }
    isActive = try reader.boolean()
    lastFired = try reader.instant()
    nextPeriod = try reader.instant()
    runs = try reader.list { (reader: inout ByteReader) throws(CodingFault) in
      var run = RuleVMSnapshot.Run()
      run.isInForce = try reader.boolean()
      run.end = try reader.instant()
      run.count = Int(try reader.integer())
      run.lastEnd = try reader.instant()
      guard 0...(1 << 53) ~= run.count else {
        throw CodingFault(offset: reader.position, expected: "the number of runs")
      }
      return run
    }
  }
}
