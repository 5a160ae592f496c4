package import StintGovernor
import StintModel
package import StintUnits

extension Input {
  /// Writes the input in the format of the journal.
  func write(to writer: inout ByteWriter) {
    switch self {
    case .fact(let fact, let value):
      writer.byte(1)
      writer.integer(Int64(fact))
      value.write(to: &writer)
    case .keyed(let family, let key, let value):
      writer.byte(16)
      writer.integer(Int64(family))
      writer.text(key)
      value.write(to: &writer)
    case .raise(let demand):
      // Demands of services have their own kind, so that demands in old journals remain readable.
      // For the same reason, additional bytes precede the kind: 14 for a demand with attributes, 15 for a
      // demand that only its target may serve.
      if demand.isForTargetOnly { writer.byte(15) }
      let hasAttributes = !demand.wants.attributes.isEmpty
      if hasAttributes { writer.byte(14) }
      if hasAttributes { demand.wants.attributes.write(to: &writer) }
      writer.byte(demand.service == nil ? 2 : 9)
      demand.write(to: &writer)
      demand.service?.write(to: &writer)
    case .release(let id):
      writer.byte(3)
      writer.integer(id.number)
    case .outcome(let device, let outcome):
      writer.byte(4)
      writer.integer(Int64(device))
      outcome.write(to: &writer)
    case .delivered(let device, let samples, let reason):
      writer.byte(5)
      writer.integer(Int64(device))
      writer.integer(Int64(samples))
      reason.write(to: &writer)
    case .carried(let id):
      writer.byte(6)
      writer.integer(id.number)
    case .wakeRequested(let id):
      writer.byte(8)
      writer.integer(id.number)
    case .signal(let signal, let value):
      writer.byte(10)
      writer.text(signal.rawValue)
      value.write(to: &writer)
    case .hasConsumer(let id, let hasConsumer):
      writer.byte(11)
      writer.integer(id.number)
      writer.byte(hasConsumer ? 1 : 0)
    case .available(let device, let isThere):
      writer.byte(7)
      writer.integer(Int64(device))
      writer.byte(isThere ? 1 : 0)
    case .localTime(let rules):
      writer.byte(12)
      rules.writeWithWallClock(to: &writer)
    case .presence(let client, let isInBackground):
      writer.byte(13)
      writer.text(client.name)
      writer.optional(isInBackground) { $0.byte($1 ? 1 : 0) }
    }
  }

  /// Reads an input in the format of the journal.
  package init(from reader: inout ByteReader) throws(CodingFault) {
    var kind = try reader.byte()
    var attributes = AttributeValues()
    let isForTargetOnly = kind == 15
    if isForTargetOnly { kind = try reader.byte() }
    let hasAttributes = kind == 14
    if hasAttributes {
      attributes = try AttributeValues(from: &reader)
      kind = try reader.byte()
    }
    guard kind == 2 || kind == 9 || !(isForTargetOnly || hasAttributes) else {
      throw CodingFault(offset: 0, expected: "a demand")
    }
    switch kind {
    case 1: self = .fact(Int(try reader.integer()), try FactValue(from: &reader))
    case 2:
      var demand = try Demand(from: &reader)
      demand.wants.attributes = attributes
      demand.isForTargetOnly = isForTargetOnly
      self = .raise(demand)
    case 3: self = .release(DemandID(try reader.integer()))
    case 4: self = .outcome(device: Int(try reader.integer()), try Outcome(from: &reader))
    case 5:
      self = .delivered(
        device: Int(try reader.integer()), samples: Int(try reader.integer()),
        reason: try DeliveryReason(from: &reader))
    case 6: self = .carried(DemandID(try reader.integer()))
    case 7: self = .available(device: Int(try reader.integer()), try reader.byte() == 1)
    case 8: self = .wakeRequested(DemandID(try reader.integer()))
    case 9:
      var demand = try Demand(from: &reader)
      demand.service = try ServiceOrigin(from: &reader)
      demand.wants.attributes = attributes
      demand.isForTargetOnly = isForTargetOnly
      self = .raise(demand)
    case 10:
      guard let signal = ServiceSignal(rawValue: try reader.text()) else {
        throw CodingFault(offset: 0, expected: "a kind of service signal")
      }
      self = .signal(signal, try FactValue(from: &reader))
    case 11: self = .hasConsumer(DemandID(try reader.integer()), try reader.byte() == 1)
    case 12: self = .localTime(try TimeZoneRules(withWallClockFrom: &reader))
    case 13:
      self = .presence(
        ClientID(try reader.text()),
        isInBackground: try reader.optional { reader throws(CodingFault) in try reader.byte() == 1 })
    case 16:
      self = .keyed(
        family: Int(try reader.integer()), key: try reader.text(), try FactValue(from: &reader))
    default: throw CodingFault(offset: 0, expected: "an input of kind 1 to 16")
    }
  }
}

extension FactValue {
  func write(to writer: inout ByteWriter) {
    switch self {
    case .unknown: writer.byte(0)
    case .boolean(let truth): writer.byte(truth ? 2 : 1)
    case .number(let number):
      writer.byte(3)
      writer.number(number)
    case .symbol(let index):
      writer.byte(4)
      writer.integer(Int64(index))
    }
  }

  init(from reader: inout ByteReader) throws(CodingFault) {
    switch try reader.byte() {
    case 0: self = .unknown
    case 1: self = .boolean(false)
    case 2: self = .boolean(true)
    case 3: self = .number(try reader.number())
    case 4: self = .symbol(Int(try reader.integer()))
    default: throw CodingFault(offset: 0, expected: "a fact value")
    }
  }
}

extension AttributeValues {
  func write(to writer: inout ByteWriter) {
    writer.integer(Int64(sorted.count))
    for entry in sorted {
      let (name, value) = (entry.name, entry.value)
      writer.text(name)
      switch value {
      case .quantity(let quantity):
        writer.byte(0)
        writer.number(quantity.value)
        for path in Dimension.exponents { writer.byte(UInt8(bitPattern: quantity.dimension[keyPath: path])) }
        writer.byte(quantity.dimension.isRatio ? 1 : 0)
      case .word(let word):
        writer.byte(1)
        writer.text(word)
      case .truth(let truth): writer.byte(truth ? 3 : 2)
      }
    }
  }

  init(from reader: inout ByteReader) throws(CodingFault) {
    self.init()
    for _ in 0..<(try reader.count()) {
      let name = try reader.text()
      switch try reader.byte() {
      case 0:
        let number = try reader.number()
        var dimension = Dimension.none
        for path in Dimension.exponents { dimension[keyPath: path] = Int8(bitPattern: try reader.byte()) }
        dimension.isRatio = try reader.byte() == 1
        self[name] = .quantity(Quantity(number, dimension))
      case 1: self[name] = .word(try reader.text())
      case 2: self[name] = .truth(false)
      case 3: self[name] = .truth(true)
      default: throw CodingFault(offset: 0, expected: "a value of an attribute")
      }
    }
  }
}

extension Demand {
  func write(to writer: inout ByteWriter) {
    writer.integer(id.number)
    writer.text(client.name)
    writer.text(target.path)
    writer.optional(wants.accuracy) { $0.number($1) }
    writer.optional(wants.period) { $0.integer($1.nanoseconds) }
    writer.optional(wants.latency) { $0.integer($1.nanoseconds) }
    writer.optional(wants.activity) { $0.text($1) }
    writer.optional(wants.background) { $0.byte($1 ? 1 : 0) }
    writer.optional(wants.pausing) { $0.byte($1 ? 1 : 0) }
    writer.optional(wants.transfer) { writer, transfer in
      writer.integer(transfer.bytesUp)
      writer.integer(transfer.bytesDown)
      writer.optional(transfer.deadline) { $0.integer($1.nanoseconds) }
    }
  }

  init(from reader: inout ByteReader) throws(CodingFault) {
    let id = DemandID(try reader.integer())
    let client = ClientID(try reader.text())
    let target = DeviceID(try reader.text())
    var wants = DemandSettings()
    wants.accuracy = try reader.optional { reader throws(CodingFault) in try reader.number() }
    wants.period = try reader.optional { reader throws(CodingFault) in try TimeSpan(from: &reader) }
    wants.latency = try reader.optional { reader throws(CodingFault) in try TimeSpan(from: &reader) }
    wants.activity = try reader.optional { reader throws(CodingFault) in try reader.text() }
    wants.background = try reader.optional { reader throws(CodingFault) in try reader.byte() == 1 }
    wants.pausing = try reader.optional { reader throws(CodingFault) in try reader.byte() == 1 }
    wants.transfer = try reader.optional { reader throws(CodingFault) in
      Transfer(
        bytesUp: try reader.integer(), bytesDown: try reader.integer(),
        deadline: try reader.optional { reader throws(CodingFault) in try TimeSpan(from: &reader) })
    }
    self.init(id: id, client: client, target: target, wants: wants)
  }
}

extension ServiceOrigin {
  func write(to writer: inout ByteWriter) {
    writer.text(word.rawValue)
    writer.optional(rule) { writer, rule in
      writer.text(rule.policy)
      writer.text(rule.rule)
    }
  }

  init(from reader: inout ByteReader) throws(CodingFault) {
    guard let word = ServiceWord(rawValue: try reader.text()) else {
      throw CodingFault(offset: 0, expected: "the keyword of a service")
    }
    let rule = try reader.optional { reader throws(CodingFault) in
      RuleID(policy: try reader.text(), rule: try reader.text())
    }
    self.init(word, rule: rule)
  }
}

extension TimeSpan {
  fileprivate init(from reader: inout ByteReader) throws(CodingFault) {
    self.init(nanoseconds: try reader.integer())
  }
}

extension Outcome {
  func write(to writer: inout ByteWriter) {
    switch self {
    case .state(let state, let period):
      writer.byte(1)
      writer.integer(Int64(state))
      writer.optional(period) { $0.integer($1.nanoseconds) }
    case .event(let event, let count):
      writer.byte(2)
      writer.integer(Int64(event))
      writer.integer(Int64(count))
    case .fault(let text):
      writer.byte(3)
      writer.text(text)
    }
  }

  init(from reader: inout ByteReader) throws(CodingFault) {
    switch try reader.byte() {
    case 1:
      self = .state(
        Int(try reader.integer()),
        period: try reader.optional { reader throws(CodingFault) in try TimeSpan(from: &reader) })
    case 2: self = .event(Int(try reader.integer()), count: Int(try reader.integer()))
    case 3: self = .fault(try reader.text())
    default: throw CodingFault(offset: 0, expected: "an outcome")
    }
  }
}

extension DeliveryReason {
  func write(to writer: inout ByteWriter) {
    switch self {
    case .immediate: writer.byte(0)
    case .reached(let bound):
      writer.byte(1)
      bound.write(to: &writer)
    case .full: writer.byte(2)
    case .ended: writer.byte(3)
    case .flushed: writer.byte(4)
    case .deadline: writer.byte(5)
    case .piggybacked: writer.byte(6)
    case .late: writer.byte(7)
    }
  }

  init(from reader: inout ByteReader) throws(CodingFault) {
    switch try reader.byte() {
    case 0: self = .immediate
    case 1: self = .reached(try HoldBound(from: &reader))
    case 2: self = .full
    case 3: self = .ended
    case 4: self = .flushed
    case 5: self = .deadline
    case 6: self = .piggybacked
    case 7: self = .late
    default: throw CodingFault(offset: 0, expected: "a reason")
    }
  }
}

extension HoldBound {
  func write(to writer: inout ByteWriter) {
    switch self {
    case .time(let span):
      writer.byte(0)
      writer.integer(span.nanoseconds)
    case .distance(let metres):
      writer.byte(1)
      writer.number(metres)
    case .items(let count):
      writer.byte(2)
      writer.integer(Int64(count))
    case .data(let bytes):
      writer.byte(3)
      writer.integer(bytes)
    }
  }

  init(from reader: inout ByteReader) throws(CodingFault) {
    switch try reader.byte() {
    case 0: self = .time(TimeSpan(nanoseconds: try reader.integer()))
    case 1: self = .distance(try reader.number())
    case 2: self = .items(Int(try reader.integer()))
    case 3: self = .data(try reader.integer())
    default: throw CodingFault(offset: 0, expected: "a bound")
    }
  }
}
