import StintMachine
import StintModel
import StintUnits

/// A rule VM that a reload replaced. The migration report is computed on demand.
struct ReplacedMachine: Sendable {
  /// The former VM.
  let machine: RuleVM
  /// The image that replaced the image of `machine`.
  let image: Image
  let match: ImageMatch
  /// The instant of the reload.
  let instant: Instant
  /// The number of demands whose per-demand VMs this value represents; nil for the shared VM.
  var demands: Int?

  var entries: [ReloadReport.Entry] {
    let entries = MachineMigration(machine, image, match, at: instant).entries
    guard let demands else { return entries }
    // The report has one entry per piece of state, even when many demands have it.
    return entries.map { entry in
      var entry = entry
      entry.value = demands == 1 ? "for one demand" : "for \(demands) demands"
      return entry
    }
  }
}
