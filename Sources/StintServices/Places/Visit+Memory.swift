import StintUnits

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
  /// The place of a record with a latitude and a longitude.
  init?(memory: MemoryValue) {
    guard let latitude = memory["latitude"]?.number, let longitude = memory["longitude"]?.number else {
      return nil
    }
    self.init(latitude: latitude, longitude: longitude)
  }
}
