/// Policy lines that produce the behaviours of `Tests/BEHAVIOURS.md`, by chapter. `PolicyLineTests` loads
/// each of them.
extension PolicyLines {
  static let places: [(id: String, text: String)] = [
    (
      "R01",
      """
      zone depot = circle 47.3769 8.5417 radius 150 m enter_after 20 s exit_after 60 s
      rule in_depot when enter(depot) { emit "depot.in" }
      """
    ),
    (
      "R02",
      """
      zone dock = beacon "f7826da6-4fa2-4e98-8024-bc5b71e0893e" major 10 exit_after 30 s
      """
    ),
    (
      "R03",
      """
      use location.gnss as gps
      zone depot = circle 47.3769 8.5417 radius 150 m enter_after 20 s exit_after 60 s
      rule r when enter(depot) { fix gps to 50 m timeout 30 s }
      """
    ),
    (
      "R04",
      """
      rule r while not auth.location is always { stop visits  stop moves }
      """
    ),
    (
      "R05",
      """
      use location.wifi as coarse
      rule r always { watch visits on coarse }
      """
    ),
    (
      "R06",
      """
      use location.wifi as coarse
      rule visits_on while diary.wants_visits { watch visits on coarse }
      """
    ),
    (
      "R07",
      """
      rule r when visit.arrived { launch "diary" }
      """
    ),
    (
      "R08",
      """
      rule r while not diary.open { stop visits }
      """
    ),
    (
      "R09",
      """
      use location.wifi as coarse
      rule r always { watch moves on coarse }
      """
    ),
    (
      "R10",
      """
      use location.wifi as coarse
      rule r while shift.on { watch moves on coarse }
      """
    ),
    (
      "R11",
      """
      rule moved when moves.changed { emit "moved" }
      """
    ),
    (
      "R12",
      """
      use location.gnss as gps
      require moves.watching implies not used_by(gps, moves)
      """
    ),
    (
      "R13",
      """
      use location.wifi as coarse
      default coarse { accuracy 100 m  filter 5 m }
      """
    ),
    (
      "R14",
      """
      use location.wifi as coarse
      default coarse { heartbeat 15 min }
      require wakeups(coarse) <= 5 per h
      """
    ),
    (
      "R15",
      """
      use location.wifi as coarse
      schedule work = weekdays 07:00..19:00
      rule r while time in work { watch moves on coarse }
      """
    ),
    (
      "R16",
      """
      use location.wifi as coarse
      default coarse { max_age 10 min }
      """
    ),
    (
      "R17",
      """
      use location.wifi as coarse
      rule stale when age(coarse) > 10 min { fix coarse to 1 km timeout 30 s }
      """
    ),
    (
      "R18",
      """
      use location.wifi as coarse
      rule r when coarse.batch_done { emit "coarse.batch" }
      """
    ),
    (
      "R19",
      """
      use location.wifi as coarse
      rule r while auth.location is always and available(coarse) { watch moves on coarse }
      """
    ),
    (
      "R20",
      """
      use location.wifi as coarse
      default coarse { pause auto }
      rule r always { watch moves on coarse }
      """
    ),
    (
      "R21",
      """
      use location.wifi as coarse
      rule r while auth.location is denied { stop coarse }
      rule notify when auth.location is denied { tell "diary" "location is off" }
      """
    ),
    (
      "R22",
      """
      use location.wifi as coarse
      rule r when coarse.failed { tell "diary" "position unavailable" }
      """
    ),
    (
      "R23",
      """
      use radio.ble as ble
      zone dock = beacon "f7826da6-4fa2-4e98-8024-bc5b71e0893e" major 10 exit_after 30 s
      rule r while inside(dock) for 5 s { downgrade ble to 1 per 1 s }
      """
    ),
    (
      "M01",
      """
      rule r while view.rotatable { start orientation }
      """
    ),
    (
      "M02",
      """
      rule unobserved while orientation.on and orientation.observers == 0 for 60 s { stop orientation }
      """
    ),
    (
      "M03",
      """
      rule r while not view.open { stop orientation }
      """
    ),
    (
      "M04",
      """
      use motion.accelerometer as accel
      require accel.on implies demanded(accel)
      """
    ),
    (
      "M05",
      """
      default orientation { nested on }
      """
    ),
    (
      "M06",
      """
      rule r while not view.rotatable for 2 s { stop orientation }
      """
    ),
    (
      "M07",
      """
      use motion.fused as fused
      use motion.gyro as gyro
      """
    ),
    (
      "M08",
      """
      use motion.accelerometer as accel
      rule r while overlay.on { start accel with { mode pull  rate 10 Hz } }
      """
    ),
    (
      "M09",
      """
      use motion.accelerometer as accel
      rule r while game.on { start accel with { mode push  rate 50 Hz } }
      """
    ),
    (
      "M10",
      """
      use motion.accelerometer as accel
      default accel { rate 10 Hz }
      """
    ),
    (
      "M11",
      """
      use motion.accelerometer as accel
      use motion.gyro as gyro
      rule r always { downgrade accel to 50 Hz downgrade gyro to 5 Hz }
      """
    ),
    (
      "M12",
      """
      use motion.fused as fused
      rule r while game.running { start fused with { rate 60 Hz } }
      """
    ),
    (
      "M13",
      """
      use motion.accelerometer as accel
      rule leak while not heard(accel) for 60 s { stop accel }
      """
    ),
    (
      "M14",
      """
      use motion.accelerometer as accel
      rule r while not graph.open { stop accel }
      """
    ),
    (
      "M15",
      """
      use motion.accelerometer as accel
      rule r while available(accel) { downgrade accel to 25 Hz }
      """
    ),
    (
      "M16",
      """
      use motion.accelerometer as accel
      rule cap while screen is off { downgrade accel to 12.5 Hz }
      """
    ),
    (
      "M17",
      """
      use motion.magnetometer as mag
      rule r always { downgrade mag to 5 Hz }
      """
    ),
    (
      "M18",
      """
      use motion.accelerometer as accel
      rule r while not overlay.on { start accel with { mode pull } }
      """
    ),
  ]
}
