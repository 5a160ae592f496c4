import StintFormats
import StintModel
import StintSimulation
import StintTracks
import StintUnits
import Testing

@Suite struct TrackWorldTests {
  private let start = Laboratory.start

  private func point(_ seconds: Int64, north: Double, label: String? = nil) -> TrackPoint {
    TrackPoint(
      time: .seconds(seconds), position: Laboratory.origin.moved(north: north, east: 0), label: label)
  }

  private func north(_ state: WorldState) -> Double { Laboratory.origin.distance(to: state.position) }

  @Test("a track moves at constant speed between two points")
  func constantSpeed() throws {
    let world = try TrackWorld(
      start: start, points: [point(0, north: 0), point(10, north: 15), point(20, north: 45)])
    #expect(world.duration == .seconds(20) && world.count == 3)
    var view = try world.makeView()
    #expect(abs(north(view.state(at: start + .seconds(4))) - 6) < 0.01)
    #expect(abs(view.state(at: start + .seconds(4)).speed - 1.5) < 0.01)
    #expect(abs(north(view.state(at: start + .seconds(15))) - 30) < 0.01)
    #expect(view.state(at: start + .seconds(15)).activity == .running)
  }

  @Test("a gap of over a minute between points within 100 m is rest indoors; in other gaps the phone moves")
  func gaps() throws {
    let world = try TrackWorld(
      start: start,
      points: [point(0, north: 0), point(61, north: 90), point(122, north: 300), point(182, north: 380)])
    var view = try world.makeView()
    let rest = view.state(at: start + .seconds(30))
    #expect(rest.sky == .indoors && rest.activity == .still && rest.speed == 0)
    #expect(view.nextCoverageChange(after: start + .seconds(30)) == start + .seconds(61))
    let moved = view.state(at: start + .seconds(70))
    #expect(moved.sky == .open && moved.speed > 3)
    let short = view.state(at: start + .seconds(150))
    #expect(short.sky == .open && short.activity == .walking, "60 s are not a gap")
  }

  @Test(
    "a phone at rest is still; a moving phone has the activity of its label, or of its speed",
    arguments: [
      (nil, 0.2, Activity.still), (nil, 2, .walking), (nil, 4, .running), (nil, 7.9, .cycling),
      (nil, 8.1, .automotive), ("bus", 0.1, .still), ("bus", 0.4, .automotive), ("bike", 2, .cycling),
      ("walk", 5, .walking),
      ("hovercraft", 2, .walking),
    ] as [(String?, Double, Activity)])
  func activity(label: String?, speed: Double, activity: Activity) throws {
    let world = try TrackWorld(
      start: start, points: [point(0, north: 0, label: label), point(10, north: 10 * speed)])
    var view = try world.makeView()
    #expect(view.state(at: start + .seconds(5)).activity == activity)
  }

  @Test("the phone rests before the first point and after the last point")
  func beforeAndAfter() throws {
    let world = try TrackWorld(
      start: start, points: [point(5, north: 0), point(5, north: 7), point(6, north: 10)])
    var view = try world.makeView()
    #expect(view.state(at: start + .seconds(1)).speed == 0)
    #expect(view.nextCoverageChange(after: start + .seconds(1)) == start + .seconds(5))
    #expect(abs(view.state(at: start + .seconds(5)).speed - 3) < 0.01, "at one time, the later point applies")
    let end = view.state(at: start + .seconds(60))
    #expect(end.speed == 0 && abs(north(end) - 10) < 0.01)
    #expect(view.nextCoverageChange(after: start + .seconds(60)) == nil)
  }

  @Test("a track without points is an error")
  func noPoints() {
    let error = #expect(throws: Problem.self) { try TrackWorld(start: start, points: []) }
    #expect(error?.code == .empty)
  }

  @Test("an error in a track is thrown before the run")
  func invalidTrack() {
    let wrong = Problem(.order, place: "walk.csv", cause: "times go backwards")
    let error = #expect(throws: Problem.self) {
      try TrackWorld(start: start) { () throws(Problem) -> TrackWorld.Points in
        var count = 0
        return { () throws(Problem) -> TrackPoint? in
          count += 1
          if count == 3 { throw wrong }
          return TrackPoint(time: .seconds(Int64(count)), position: Laboratory.origin)
        }
      }
    }
    #expect(error == wrong)
  }

  @Test("a track of 100,000 points can come from a stream") func streaming() throws {
    let world = try TrackWorld(start: start) { () throws(Problem) -> TrackWorld.Points in
      var second: Int64 = 0
      return { () throws(Problem) -> TrackPoint? in
        guard second < 100_000 else { return nil }
        second += 1
        return TrackPoint(
          time: .seconds(second), position: Laboratory.origin.moved(north: Double(second), east: 0))
      }
    }
    #expect(world.count == 100_000 && world.duration == .seconds(100_000))
    var view = try world.makeView()
    #expect(abs(north(view.state(at: start + .seconds(99_999))) - 99_999) < 20)
  }

  @Test("the error for a missing track file contains its path")
  func missingFile() {
    let error = #expect(throws: Problem.self) {
      try TrackWorld(start: start, path: "/nowhere/walk.csv")
    }
    #expect(error?.place.name == "/nowhere/walk.csv" && error?.code == .notFound)
  }

  @Test("a track from CSV gives the position and the activity between its points")
  func csvTrack() throws {
    let text = """
      t_s,lat,lon,alt_m,speed_mps,accuracy_m,label
      0,47.05,8.31,,,,walk
      10,47.0501,8.31,,,,walk
      """
    let world = try TrackWorld(start: start) { () throws(Problem) -> TrackWorld.Points in
      var reader = try TrackReader(bytes: Array(text.utf8), name: "walk.csv")
      return { () throws(Problem) -> TrackPoint? in try reader.next() }
    }
    var view = try world.makeView()
    #expect(abs(north(view.state(at: start + .seconds(5))) - 5.56) < 0.01)
    #expect(view.state(at: start + .seconds(5)).activity == .walking)
  }
}
