import StintModel
import StintUnits

extension RegionNotice: PersistentNotice {
  public static var kind: String { "region" }

  public var memory: MemoryValue {
    switch self {
    case .known(let region, let isInside): .record(["known": .text(region), "inside": .truth(isInside)])
    case .entered(let region): .record(["entered": .text(region)])
    case .exited(let region): .record(["exited": .text(region)])
    }
  }

  public init?(memory: MemoryValue) {
    if let region = memory["known"]?.text, let isInside = memory["inside"]?.truth {
      self = .known(region: region, isInside: isInside)
    } else if let region = memory["entered"]?.text {
      self = .entered(region)
    } else if let region = memory["exited"]?.text {
      self = .exited(region)
    } else {
      return nil
    }
  }
}

extension VisitNotice: PersistentNotice {
  public static var kind: String { "visit" }

  public var memory: MemoryValue {
    switch self {
    case .arrived(let visit, let receiver): .record(["visit": visit.memory, "receiver": .text(receiver)])
    case .departed(let visit, let receiver): .record(["visit": visit.memory, "receiver": .text(receiver)])
    }
  }

  public init?(memory: MemoryValue) {
    guard let visit = memory["visit"].flatMap({ Visit(memory: $0) }), let receiver = memory["receiver"]?.text
    else { return nil }
    self =
      visit.departure == nil
      ? .arrived(visit, receiver: receiver) : .departed(visit, receiver: receiver)
  }
}

extension MoveNotice: PersistentNotice {
  public static var kind: String { "move" }

  public var memory: MemoryValue {
    switch self {
    case .moved(let fixes): .record(["moved": .list(fixes.map(\.memory))])
    case .cached(let fix, let age): .record(["cached": fix.memory, "age": .integer(age.nanoseconds)])
    case .heartbeat: .text("heartbeat")
    case .noEffect(let names): .record(["no_effect": .list(names.map(MemoryValue.text))])
    }
  }

  public init?(memory: MemoryValue) {
    if let list = memory["moved"]?.list {
      let fixes = list.compactMap { PositionFix(memory: $0) }
      guard !fixes.isEmpty, fixes.count == list.count else { return nil }
      self = .moved(fixes)
    } else if let fix = memory["cached"].flatMap({ PositionFix(memory: $0) }),
      let age = memory["age"]?.integer
    {
      self = .cached(fix, age: TimeSpan(nanoseconds: age))
    } else if let names = memory["no_effect"]?.list {
      self = .noEffect(names.compactMap(\.text))
    } else if memory.text == "heartbeat" {
      self = .heartbeat
    } else {
      return nil
    }
  }
}

extension BeaconNotice: PersistentNotice {
  public static var kind: String { "beacon" }

  public var memory: MemoryValue {
    switch self {
    case .known(let region, let isInside): .record(["known": .text(region), "inside": .truth(isInside)])
    case .entered(let region): .record(["entered": .text(region)])
    case .exited(let region): .record(["exited": .text(region)])
    case .unknown(let region): .record(["unknown": .text(region)])
    }
  }

  public init?(memory: MemoryValue) {
    if let region = memory["known"]?.text, let isInside = memory["inside"]?.truth {
      self = .known(region: region, isInside: isInside)
    } else if let region = memory["entered"]?.text {
      self = .entered(region)
    } else if let region = memory["exited"]?.text {
      self = .exited(region)
    } else if let region = memory["unknown"]?.text {
      self = .unknown(region)
    } else {
      return nil
    }
  }
}

extension PositionFix {
  var memory: MemoryValue {
    .record([
      "latitude": .number(place.latitude), "longitude": .number(place.longitude),
      "accuracy": .number(accuracy), "determined": .integer(determined.nanoseconds),
      "sequence": .integer(Int64(clamping: sequence)), "device": .text(device.path),
    ])
  }

  init?(memory: MemoryValue) {
    guard let place = Coordinate(memory: memory), let accuracy = memory["accuracy"]?.number,
      let determined = memory["determined"]?.integer, let sequence = memory["sequence"]?.integer,
      let device = memory["device"]?.text
    else { return nil }
    self.init(
      place: place, accuracy: accuracy, determined: Instant(nanoseconds: determined),
      sequence: UInt64(clamping: sequence), device: DeviceID(device))
  }
}

extension Visit {
  var memory: MemoryValue {
    var parts: [String: MemoryValue] = [
      "latitude": .number(place.latitude), "longitude": .number(place.longitude),
      "accuracy": .number(accuracy), "arrival": .integer(arrival.nanoseconds),
    ]
    if let departure { parts["departure"] = .integer(departure.nanoseconds) }
    return .record(parts)
  }

  init?(memory: MemoryValue) {
    guard let place = Coordinate(memory: memory), let accuracy = memory["accuracy"]?.number,
      let arrival = memory["arrival"]?.integer
    else { return nil }
    self.init(
      place: place, accuracy: accuracy, arrival: Instant(nanoseconds: arrival),
      departure: memory["departure"]?.integer.map { Instant(nanoseconds: $0) })
  }
}

extension Coordinate {
  /// Makes the coordinate from a record with a latitude and a longitude; nil when they are missing or
  /// invalid.
  init?(memory: MemoryValue) {
    guard let latitude = memory["latitude"]?.number, let longitude = memory["longitude"]?.number else {
      return nil
    }
    self.init(latitude: latitude, longitude: longitude)
  }
}
