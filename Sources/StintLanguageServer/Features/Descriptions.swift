/// What words of the language do, a sentence each.
enum Descriptions {
  static let functions: [String: String] = [
    "age": "How long ago the fact got its value; compared with a span of time, unknown before any value.",
    "available": "Whether the device is present and able to serve.",
    "avg": "The mean of the values that a fact took in the span up to now.",
    "can_defer": "Whether the device can hold samples back by itself, and is there.",
    "cheap":
      "Whether a transfer costs little now: power from outside, Wi-Fi, or a radio that is up anyway.",
    "count": "How many values a fact took in the span up to now.",
    "demanded": "Whether a demand on the device stands, granted or not; never unknown.",
    "energy": "What the device, or a service, drew since local midnight.",
    "breakeven": "How far two fixes must lie apart so that a rest between them costs less than staying on.",
    "enter": "True for the moment in which one comes into the zone.",
    "grant":
      "What a client is granted on a device, in a test: grant(\"app\", gps) is paused, gps.accuracy, …",
    "exit": "True for the moment in which one leaves the zone.",
    "heard": "Whether the beacon of the zone is heard, or a client reads what the sensor measures.",
    "inside": "Whether one is inside the zone, after its waiting times.",
    "known": "Whether the fact has a fresh value; never unknown.",
    "max": "The largest of the values that a fact took in the span up to now.",
    "min": "The smallest of the values that a fact took in the span up to now.",
    "rate": "How many values a fact took in the span up to now, per second.",
    "respite": "For how long the device's last position stays within a distance, as far as anybody can tell.",
    "spread":
      "The largest less the smallest of the values of a fact in the span up to now; of a device, how far apart its "
      + "positions lie.",
    "travelled": "How far the device's odometer went in the span up to now.",
    "trend": "How much a fact rose over the span up to now, by the line nearest to its values; needs three.",
    "unexplained": "How long devices, or one of them, have been on without a complete cause.",
    "used_by": "Whether the device serves a demand of the service: visits, moves or orientation.",
    "wakeups": "How often the device went on in the last hour.",
  ]

  static let verbs: [String: String] = [
    "batch":
      "Lets the device gather samples or messages and deliver them together, at the first of its bounds.",
    "defer": "Holds work back until a condition is true, at most to its deadline.",
    "downgrade": "Limits what demands get to an accuracy or a rate.",
    "emit": "Sends an event to the host, once.",
    "fix": "Takes one position of an accuracy, trying no longer than the timeout.",
    "flush": "Delivers what the device has gathered, now.",
    "launch": "Asks the host to start a client, once.",
    "pause": "Lets the device rest while demands on it stand.",
    "start":
      "Demands the device, on behalf of a client; limits of other rules hold. Or has orientation followed, or "
      + "lets tasks of transfers begin that were not resumed.",
    "stop":
      "Turns the device off whatever is demanded, except for the clients named. Or stops visits, moves, orientation.",
    "tell": "Sends a text to a client, once.",
    "watch":
      "Demands the device as finely as the zone is wide, so that coming and going are noticed; or has visits or moves "
      + "told by it.",
  ]

  static let settings: [String: String] = [
    "accuracy": "How exact samples must be; a smaller one costs more.",
    "activity": "What one does; it lets the device choose how to work.",
    "background": "Whether the demand holds while the app is in the background.",
    "cellular": "Whether a byte of a session of transfers may ever go over the cellular radio.",
    "discretionary": "Whether the system picks the moment of a session's transfers.",
    "filter": "How many metres lie between two positions that a client gets.",
    "fuzz": "Whether a client gets positions no finer than it asked.",
    "heartbeat": "How often a watch on moves wakes the app when nothing changes; off for never.",
    "latency": "How late a sample may be delivered; it comes sooner where the processor is up anyway.",
    "linger": "How long the device stays on after its last demand.",
    "max_age": "How old the device's facts may grow before they are unknown.",
    "mode":
      "push, to have samples handed over as they come; pull, to have the device keep what it has room for, so that "
      + "the processor does not wake for it.",
    "nested": "Whether it takes as many ends of orientation as there were begins.",
    "out_of_process": "Whether sessions of transfers go on when their client's process is gone.",
    "pause": "Whether the device may rest by itself when nothing changes.",
    "rate": "How often samples come.",
    "session": "The session of transfers that the block is about, by its identifier.",
  ]

  static let keywords: [String: String] = [
    "above": "True from above the threshold on until the value is below its release.",
    "always": "The rule holds all the time.",
    "below": "True from below the threshold on until the value is above its release.",
    "budget": "Declares an amount of energy for a period, and what holds from a share of it on.",
    "deadline": "How long work may wait at most; then it is let go.",
    "default": "Sets what holds for a device where a demand leaves it open.",
    "doubling": "Makes the span twice as long each time in one run, up to the ceiling.",
    "every": "The rule acts once each period.",
    "for": "True when the condition has been true without a gap for the span; behind a directive, its end.",
    "goto": "Leads to another state when the condition is true.",
    "implies": "False only where the left side is true and the right side is not.",
    "is": "True when the fact is this word.",
    "let": "Gives a name to a condition or a value.",
    "machine": "Declares states, of which one holds at a time.",
    "over": "Puts other rules aside where this one holds, for the targets that both name.",
    "param": "Gives a name to a quantity that may be changed within its range.",
    "release": "Where a threshold lets go again.",
    "require": "States what must hold: proved if it can be, watched if not.",
    "rule": "Says what is wanted of devices, and when.",
    "schedule": "Names windows of local time, also on days of 23 and 25 hours.",
    "test": "Shows what the policy does, in virtual time.",
    "tolerate": "How long the condition may be unknown without breaking the span.",
    "use": "Brings a device in under a short name.",
    "when": "The rule acts once each time the condition becomes true.",
    "while": "The rule holds exactly as long as the condition is true.",
    "zone": "Names a place: a circle, or wherever a beacon is heard.",
  ]
}
