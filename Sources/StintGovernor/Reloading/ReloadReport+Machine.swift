import StintMachine
import StintModel
import StintUnits

extension ReloadReport {
  /// What becomes of the state of a machine when another image takes the place of its own.
  static func entries(
    of machine: Machine, now: Image, _ match: ImageMatch, at instant: Instant
  ) -> [Entry] {
    MachineFates(machine, now, match, at: instant).entries
  }
}
