import StintUnits

extension TimeZoneRules {
  /// Writes the rules in the format of the journal. The base offset comes first. Unless the rules are a fixed
  /// offset, the number of transitions, the transitions and the yearly rule follow.
  func write(to writer: inout ByteWriter) {
    writer.integer(baseOffset.nanoseconds)
    guard !isFixed else { return }
    writer.integer(Int64(transitions.count))
    for transition in transitions {
      writer.integer(transition.instant.nanoseconds)
      writer.integer(transition.offset.nanoseconds)
    }
    // Yearly rules always have a text, because they are parsed from a text.
    writer.text(tail?.rule ?? "")
  }

  /// Reads rules that `write` wrote. The rules must be the last part of the data.
  init(from reader: inout ByteReader) throws(CodingFault) {
    let base = try Self.offset(from: &reader)
    guard !reader.isAtEnd else {
      self = .fixed(base)
      return
    }
    var transitions: [Transition] = []
    for _ in 0..<(try reader.count()) {
      let instant = Instant(nanoseconds: try reader.integer())
      guard (transitions.last?.instant ?? Instant(nanoseconds: .min)) < instant else {
        throw CodingFault(offset: reader.position, expected: "transitions in ascending order")
      }
      transitions.append(Transition(instant: instant, offset: try Self.offset(from: &reader)))
    }
    let rule = try reader.text()
    var tail: TimeZoneRules?
    do throws(Problem) {
      if !rule.isEmpty { tail = try TimeZoneRules(rule) }
    } catch {
      throw CodingFault(offset: reader.position, expected: "a time zone's rule")
    }
    self.init(base: base, transitions: transitions, tail: tail)
  }

  /// Writes the offset of the wall clock, then the rules with their length. Other data may follow.
  func writeWithWallClock(to writer: inout ByteWriter) {
    writer.integer(ahead.nanoseconds)
    var rules = ByteWriter()
    write(to: &rules)
    writer.block(rules.bytes)
  }

  /// Reads rules that `writeWithWallClock` wrote.
  init(withWallClockFrom reader: inout ByteReader) throws(CodingFault) {
    let ahead = TimeSpan(nanoseconds: try reader.integer())
    guard ahead >= TimeSpan.zero - Self.farthest, ahead <= Self.farthest else {
      throw CodingFault(
        offset: reader.position,
        expected: "an offset of at most 100 years between the wall clock and the run's time")
    }
    let start = reader.position
    var rules = ByteReader(try reader.block())
    do throws(CodingFault) {
      self = try TimeZoneRules(from: &rules).withWallClock(ahead: ahead)
    } catch {
      throw CodingFault(offset: start + 8 + error.offset, expected: error.expected)
    }
  }

  private static func offset(from reader: inout ByteReader) throws(CodingFault) -> TimeSpan {
    let offset = TimeSpan(nanoseconds: try reader.integer())
    guard offset > .hours(-24), offset < .hours(24) else {
      throw CodingFault(offset: reader.position, expected: "an offset of less than a day")
    }
    return offset
  }
}
