/// Policy lines that produce the behaviours of `Tests/BEHAVIOURS.md`, by chapter. `PolicyLineTests` loads
/// each of them.
extension PolicyLines {
  static let network: [(id: String, text: String)] = [
    (
      "N01",
      """
      use radio.cellular as net
      rule r always { batch net until 2 MB or 30 min }
      """
    ),
    (
      "N02",
      """
      use radio.cellular as net
      rule video while queue.kind is media { batch net until 50 MB }
      """
    ),
    (
      "N03",
      """
      use radio.cellular as net
      rule ads while queue.kind is ads { batch net until 10 items }
      """
    ),
    (
      "N04",
      """
      use radio.cellular as net
      rule mail while queue.kind is mail { batch net until 40 items or 2 MB or 30 min }
      """
    ),
    (
      "N05",
      """
      use radio.cellular as net
      rule r while not queue.urgent { defer net until net.kind is wifi or power.source is external
        deadline 7 d }
      """
    ),
    (
      "N06",
      """
      use radio.cellular as net
      default net { session "com.example.sync" discretionary on }
      """
    ),
    (
      "N07",
      """
      use radio.cellular as net
      default net { out_of_process on }
      """
    ),
    (
      "N08",
      """
      rule r when net.session_done { tell "mail" "sync finished" }
      """
    ),
    (
      "N09",
      """
      use radio.cellular as net
      default net { session "com.example.mail.sync" }
      """
    ),
    (
      "N10",
      """
      rule r when net.auth_needed { launch "mail" }
      """
    ),
    (
      "N11",
      """
      use radio.cellular as net
      rule slow while net.throughput below 40 kB/s release 80 kB/s for 20 s {
        defer net until net.throughput > 80 kB/s deadline 18 h
      }
      """
    ),
    (
      "N12",
      """
      use radio.cellular as net
      rule backoff when net.failed { defer net for 30 s doubling to 1 h at most 8 times }
      """
    ),
    (
      "N13",
      """
      use radio.cellular as net
      default net { session "com.example.app.bg1" }
      """
    ),
    (
      "N14",
      """
      use radio.cellular as net
      default net { discretionary on }
      """
    ),
    (
      "N15",
      """
      use radio.cellular as net
      default net { cellular off }
      """
    ),
    (
      "N16",
      """
      use radio.cellular as net
      rule week always { defer net until net.kind is wifi deadline 7 d }
      """
    ),
    (
      "N17",
      """
      use radio.cellular as net
      rule today always { defer net until power.source is external deadline 18 h }
      """
    ),
    (
      "N18",
      """
      use radio.cellular as net
      rule any always { defer net until cheap(net) deadline 18 h }
      """
    ),
    (
      "N19",
      """
      use radio.cellular as net
      default net { session "com.example.app" discretionary on cellular off }
      """
    ),
    (
      "N20",
      """
      use radio.cellular as net
      rule r while app.ready { start net }
      """
    ),
    (
      "N21",
      """
      rule r when net.file_ready { emit "mail.file" }
      """
    ),
    (
      "N22",
      """
      rule r when net.reply { emit "net.reply" }
      """
    ),
    (
      "N23",
      """
      use radio.cellular as net
      rule wait while not known(power.source) { defer net until power.source is external deadline 18 h }
      rule pack always { batch net until 2 MB or 30 min }
      rule urgent over wait, pack while queue.urgent { start net for "mail" with { discretionary off } }
      """
    ),
    (
      "N24",
      """
      use radio.cellular as net
      rule r every 15 min flex 5 min { flush net }
      """
    ),
    (
      "X01",
      """
      use location.gnss as gps
      rule r while auth.location is when_in_use and app.state is background { stop gps }
      """
    ),
    (
      "X02",
      """
      rule r while auth.location is denied { stop all }
      """
    ),
    (
      "X03",
      """
      require energy(visits) <= energy(moves)
      """
    ),
    (
      "X04",
      """
      use location.gnss as gps
      rule still while motion.activity is still for 2 min { pause gps }
      test "a reload keeps timers" { given motion.activity = still  at 0 s attach "app"  at 1 min reload 
        expect gps is off by 3 min }
      """
    ),
    (
      "X05",
      """
      use location.gnss as gps
      use motion.accelerometer as accel
      use motion.gyro as gyro
      rule r while battery.level below 15 % release 20 % {
        stop gyro downgrade gps to 1 km batch accel until 60 s
      }
      """
    ),
    (
      "X06",
      """
      use location.gnss where vendor == "Stint reference phone" as gps
      """
    ),
    (
      "X07",
      """
      use ambient.light where vendor == "acme" as light
      """
    ),
    (
      "X08",
      """
      use location.gnss as gps
      rule r while trail.open { start gps for "trail-app" }
      """
    ),
    (
      "X09",
      """
      let near_goal = hike.remaining < 200 m
      """
    ),
    (
      "X10",
      """
      use location.gnss as gps
      schedule night = 22:00..06:00
      budget day = 350 J per day from 04:00 on gps {
        at 80 % { downgrade gps to 100 m } at 100 % { stop gps except "sos" }
      }
      """
    ),
    (
      "X11",
      """
      use location.gnss as gps
      rule blind while not known(battery.level) for 10 min { downgrade gps to 100 m }
      """
    ),
    (
      "X12",
      """
      use location.gnss as gps
      require unexplained(gps) == 0 s
      """
    ),
  ]
}
