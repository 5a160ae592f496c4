/// Policy lines that produce the behaviours of `Tests/BEHAVIOURS.md`, by chapter. `PolicyLineTests` loads
/// each of them.
extension PolicyLines {
  static let location: [(id: String, text: String)] = [
    (
      "G01",
      """
      use location.gnss as gps
      require gps.on implies demanded(gps)
      """
    ),
    (
      "G02",
      """
      use location.gnss as gps
      default gps { linger 5 s }
      """
    ),
    (
      "G03",
      """
      use motion.gyro as gyro required
      rule spin while available(gyro) { downgrade gyro to 10 Hz }
      """
    ),
    (
      "G04",
      """
      use location.gnss as gps
      rule r while app.state is foreground { start gps for "map" }
      """
    ),
    (
      "G05",
      """
      use location.gnss as gps
      rule r when gps.failed { tell "map" "no position" }
      """
    ),
    (
      "G06",
      """
      use location.gnss as gps
      rule r always { downgrade gps to 1 per 10 s }
      default gps { accuracy 100 m }
      """
    ),
    (
      "L01",
      """
      use location.gnss as gps
      rule r when door.opened { fix gps to 50 m timeout 60 s }
      """
    ),
    (
      "L02",
      """
      use location.gnss as gps
      rule r when trip.ended { fix gps to 20 m timeout 30 s }
      """
    ),
    (
      "L03",
      """
      use location.gnss as gps
      rule r when map.opened { fix gps to 30 m timeout 45 s }
      """
    ),
    (
      "L04",
      """
      use location.gnss as gps
      rule ask while auth.location is undecided { stop gps }
      """
    ),
    (
      "L05",
      """
      use location.gnss as gps
      rule r while not workout.active { stop gps }
      """
    ),
    (
      "L06",
      """
      use location.gnss as gps
      rule r every 15 min flex 3 min { fix gps to 50 m timeout 60 s }
      """
    ),
    (
      "L07",
      """
      use location.gnss as gps
      rule saver while battery.level below 20 % release 25 % { downgrade gps to 500 m }
      rule guide over saver while route.active {
        start gps for "guide" with { accuracy 10 m  activity automotive }
      }
      """
    ),
    (
      "L08",
      """
      use location.gnss as gps
      rule r while not motion.activity in [automotive] for 1 min { downgrade gps to 1 per 60 s }
      """
    ),
    (
      "L09",
      """
      use location.cell as cell
      default cell { accuracy 3 km }
      """
    ),
    (
      "L10",
      """
      use location.gnss as gps
      rule cap while battery.level below 30 % release 35 % { downgrade gps to 100 m }
      """
    ),
    (
      "L11",
      """
      use location.gnss as gps
      default gps { accuracy 10 m activity fitness }
      """
    ),
    (
      "L12",
      """
      use location.cell as cell
      default cell { accuracy 3 km  fuzz on }
      """
    ),
    (
      "L13",
      """
      use location.gnss as gps
      default gps { platform_defaults on }
      """
    ),
    (
      "L14",
      """
      use location.gnss as gps
      let flat = trend(gps.accuracy, 90 s) > -5 m
      """
    ),
    (
      "L15",
      """
      use location.gnss as gps
      rule giveup when (gps.on and (not known(gps.accuracy) or gps.accuracy > 50 m)) for 2 min {
        stop gps for 5 min doubling to 1 h
      }
      """
    ),
    (
      "L16",
      """
      use location.gnss as gps
      rule cap while app.state is background and not client.may_background { stop gps }
      """
    ),
    (
      "L17",
      """
      use location.gnss as gps
      default gps { background off }
      """
    ),
    (
      "L18",
      """
      use location.gnss as gps
      rule r while track.recording { start gps with { background on } }
      """
    ),
    (
      "L19",
      """
      use location.gnss as gps
      default gps { pause auto }
      """
    ),
    (
      "L20",
      """
      use location.gnss as gps
      default gps { activity fitness }
      """
    ),
    (
      "L21",
      """
      use location.gnss as gps
      rule other_pause while client.activity is other and spread(gps, 10 min) < 50 m { pause gps }
      """
    ),
    (
      "L22",
      """
      use location.gnss as gps
      rule car_pause while client.activity is automotive and gps.speed < 0.5 m/s for 15 min { pause gps }
      """
    ),
    (
      "L23",
      """
      use location.gnss as gps
      rule foot_pause while client.activity is fitness and spread(gps, 3 min) < 30 m { pause gps }
      """
    ),
    (
      "L24",
      """
      use location.gnss as gps
      rule hull_pause while client.activity is navigation and spread(gps, 10 min) < 200 m { pause gps }
      """
    ),
    (
      "L25",
      """
      use location.gnss as gps
      default gps { activity automotive }
      """
    ),
    (
      "L26",
      """
      use location.gnss as gps
      rule wake while motion.activity in [walking, running, cycling, automotive] { start gps }
      """
    ),
    (
      "L27",
      """
      use location.gnss as gps
      rule hold while can_defer(gps) { batch gps until 500 m or 10 min }
      """
    ),
    (
      "L28",
      """
      use location.gnss as gps
      rule r while app.state is background { batch gps until 1 km or 15 min }
      """
    ),
    (
      "L29",
      """
      use location.gnss as gps
      let hiking = motion.activity in [walking, running]
      rule r while hiking { batch gps until 500 m }
      """
    ),
    (
      "L30",
      """
      use location.gnss as gps
      let hiking = motion.activity in [walking, running]
      rule r while hiking { batch gps until 500 m or 5 min }
      """
    ),
    (
      "L31",
      """
      use location.gnss as gps
      rule r when trail.ended { flush gps }
      """
    ),
    (
      "L32",
      """
      use location.gnss as gps
      rule r when gps.batch_done { emit "trail.batch" }
      """
    ),
    (
      "L33",
      """
      use location.gnss as gps
      rule r while app.state is background { batch gps until 500 m or 5 min }
      """
    ),
    (
      "L34",
      """
      use location.gnss as gps
      rule hold while app.state is background { batch gps until 1 km or 15 min }
      rule near over hold while hike.remaining < 1 km { batch gps until 100 m or 1 min }
      """
    ),
    (
      "L35",
      """
      use location.gnss as gps
      rule r when hike.remaining <= 0 m { flush gps }
      """
    ),
    (
      "L36",
      """
      use location.gnss as gps
      default gps { filter 10 m }
      """
    ),
  ]
}
