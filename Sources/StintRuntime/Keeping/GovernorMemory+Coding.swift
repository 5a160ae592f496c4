package import StintGovernor
import StintMachine
import StintModel
package import StintUnits

extension GovernorMemory {
  func write(to bytes: inout ByteWriter) {
    bytes.integer(instant.nanoseconds)
    machine.write(to: &bytes)
    bytes.list(perDemand) { bytes, entry in
      bytes.integer(entry.demand.number)
      entry.machine.write(to: &bytes)
    }
    bytes.list(facts) { bytes, fact in
      bytes.text(fact.path)
      fact.value.write(to: &bytes)
      bytes.integer(fact.instant.nanoseconds)
    }
    bytes.list(meters) { bytes, meter in
      bytes.text(meter.path)
      bytes.integer(Int64(clamping: meter.drawn.nanojoules))
      bytes.integer(meter.end.nanoseconds)
    }
    bytes.list(wakeups) { bytes, entry in
      bytes.text(entry.path)
      bytes.list(entry.instants) { $0.integer($1.nanoseconds) }
    }
    bytes.list(states) { bytes, state in
      bytes.text(state.path)
      bytes.text(state.name)
      bytes.instant(state.moved)
    }
    bytes.list(zones) { bytes, zone in
      bytes.text(zone.name)
      bytes.optional(zone.isInside) { $0.boolean($1) }
      bytes.optional(zone.candidate) { $0.boolean($1) }
      bytes.instant(zone.since)
      bytes.instant(zone.lastFix)
    }
    bytes.list(demands) { $0.integer($1.number) }
  }

  package init(from reader: inout ByteReader) throws(CodingFault) {
    self.init(at: Instant(nanoseconds: try reader.integer()))
    machine = try RuleVMSnapshot(from: &reader)
    perDemand = try reader.list { (reader: inout ByteReader) throws(CodingFault) in
      let demand = DemandID(try reader.integer())
      return PerDemandState(demand: demand, machine: try RuleVMSnapshot(from: &reader))
    }
    facts = try reader.list { (reader: inout ByteReader) throws(CodingFault) in
      let path = try reader.text()
      let value = try FactValue(from: &reader)
      return Fact(path: path, value: value, instant: Instant(nanoseconds: try reader.integer()))
    }
    meters = try reader.list { (reader: inout ByteReader) throws(CodingFault) in
      let path = try reader.text()
      let drawn = try reader.integer()
      guard drawn >= 0 else { throw CodingFault(offset: reader.position - 8, expected: "an energy") }
      return Meter(
        path: path, drawn: Energy(nanojoules: drawn), end: Instant(nanoseconds: try reader.integer()))
    }
    wakeups = try reader.list { (reader: inout ByteReader) throws(CodingFault) in
      let path = try reader.text()
      let instants = try reader.list { (reader: inout ByteReader) throws(CodingFault) in
        Instant(nanoseconds: try reader.integer())
      }
      return Wakeups(path: path, instants: instants)
    }
    try readStatesAndZones(&reader)
    demands = try reader.list { (reader: inout ByteReader) throws(CodingFault) in
      DemandID(try reader.integer())
    }
  }

  private mutating func readStatesAndZones(_ reader: inout ByteReader) throws(CodingFault) {
    states = try reader.list { (reader: inout ByteReader) throws(CodingFault) in
      let path = try reader.text()
      let name = try reader.text()
      return State(path: path, name: name, moved: try reader.instant())
    }
    zones = try reader.list { (reader: inout ByteReader) throws(CodingFault) in
      let name = try reader.text()
      let truth = { (reader: inout ByteReader) throws(CodingFault) in try reader.boolean() }
      let isInside = try reader.optional(truth)
      let candidate = try reader.optional(truth)
      let since = try reader.instant()
      return Zone(
        name: name, isInside: isInside, candidate: candidate, since: since, lastFix: try reader.instant())
    }
  }
}
