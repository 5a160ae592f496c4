import StintMachine
import StintModel
import StintUnits

/// A machine that gave way to another image: what became of its state is worked out when its report is asked for.
struct ReplacedMachine: Sendable {
  let machine: RuleVM
  let image: Image
  let match: ImageMatch
  let instant: Instant
  /// How many demands had one like it; nil where there was one for all.
  var demands: Int?

  var entries: [ReloadReport.Entry] {
    let entries = MachineMigration(machine, image, match, at: instant).entries
    guard let demands else { return entries }
    // Each once although many demands have it.
    return entries.map { entry in
      var entry = entry
      entry.value = demands == 1 ? "for one demand" : "for \(demands) demands"
      return entry
    }
  }
}
