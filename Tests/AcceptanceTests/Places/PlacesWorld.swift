import StintModel
import StintUnits

/// Sequences of legs that are used in several tests. The phone starts at the origin of `Phone`.
enum PlacesWorld {
  /// Returns a leg without movement, indoors by default.
  static func rest(_ minutes: Int64, sky: Leg.Sky = .indoors, wifi: Bool = true) -> Leg {
    Leg(activity: .still, duration: .minutes(minutes), speed: 0, heading: 0, sky: sky, hasWiFi: wifi)
  }

  /// Returns a walk at 1.4 m/s.
  static func walk(_ minutes: Int64, heading: Double) -> Leg { walk(seconds: minutes * 60, heading: heading) }

  /// Returns a walk at 1.4 m/s, of this number of seconds.
  static func walk(seconds: Int64, heading: Double) -> Leg {
    Leg(
      activity: .walking, duration: .seconds(seconds), speed: 1.4, heading: heading, sky: .open,
      hasWiFi: false)
  }

  /// Returns a slow walk at 0.3 m/s, of this number of seconds.
  static func slow(_ seconds: Int64, heading: Double) -> Leg {
    Leg(
      activity: .walking, duration: .seconds(seconds), speed: 0.3, heading: heading, sky: .open,
      hasWiFi: false)
  }

  /// Returns a drive at 60 km/h.
  static func drive(_ seconds: Int64, heading: Double) -> Leg {
    Leg(
      activity: .automotive, duration: .seconds(seconds), speed: 60 / 3.6, heading: heading, sky: .open,
      hasWiFi: false)
  }

  /// Returns a drive with this number of red lights of 70 s.
  static func drive(_ minutes: Int64, heading: Double, redLights: Int) -> [Leg] {
    let part = minutes * 60 / Int64(redLights + 1)
    var legs = [drive(part, heading: heading)]
    for _ in 0..<redLights {
      legs.append(
        Leg(activity: .still, duration: .seconds(70), speed: 0, heading: 0, sky: .street, hasWiFi: false))
      legs.append(drive(part, heading: heading))
    }
    return legs
  }

  /// One stay of the reference week, in seconds since the start.
  struct Stay: Sendable {
    var place: String
    var arrival: Double
    var departure: Double?
  }

  /// Returns a week with nights at home, five days at the office, and two evenings at the gym. The phone goes
  /// to the office by car, with two red lights each way.
  static func week() -> (legs: [Leg], stays: [Stay]) {
    var legs: [Leg] = []
    var stays: [Stay] = []
    var now = 0.0
    func add(_ leg: Leg) {
      legs.append(leg)
      now += leg.duration.seconds
    }
    func stay(_ place: String, minutes: Int64) {
      stays.append(Stay(place: place, arrival: now, departure: now + Double(minutes) * 60))
      add(rest(minutes))
    }
    for day in 0..<7 {
      if day >= 5 {
        // The weekend is spent at home.
        stay("home", minutes: 24 * 60)
        continue
      }
      stay("home", minutes: 8 * 60)
      drive(20, heading: 90, redLights: 2).forEach(add)
      stay("office", minutes: 9 * 60)
      if day == 1 || day == 3 {
        walk(12, heading: 0).forEach(add)
        stay("gym", minutes: 75)
        walk(12, heading: 180).forEach(add)
        drive(20, heading: 270, redLights: 2).forEach(add)
      } else {
        drive(20, heading: 270, redLights: 2).forEach(add)
      }
      let gone = now.truncatingRemainder(dividingBy: 86_400)
      stay("home", minutes: Int64((86_400 - gone) / 60))
    }
    return (legs, merged(stays))
  }

  /// Combines consecutive stays at one place.
  private static func merged(_ stays: [Stay]) -> [Stay] {
    var result: [Stay] = []
    for stay in stays {
      if var last = result.last, last.place == stay.place {
        last.departure = stay.departure
        result[result.count - 1] = last
      } else {
        result.append(stay)
      }
    }
    result[result.count - 1].departure = nil
    return result
  }
}

extension Leg {
  fileprivate func forEach(_ add: (Leg) -> Void) { add(self) }
}
