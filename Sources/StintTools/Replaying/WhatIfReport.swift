import StintFormats
import StintGovernor
import StintJournal
import StintLanguage
import StintModel
public import StintRuntime
public import StintUnits

/// What a candidate would have decided otherwise in the time of a journal, and what it would have cost.
public struct WhatIfReport: Sendable {
  public var journal: String
  /// The candidate's files.
  public var candidate: [String]
  public var result: WhatIf.Result

  /// Takes a journal through beside a candidate: a policy file or a folder of them.
  ///
  /// Throws when the journal cannot be read, and a `PolicyRefusal` when the candidate does not load.
  public init(journal: String, candidate path: String) throws {
    let sources = try PolicyFiles.read([path])
    let whatIf = try WhatIf(journal: journal) { vocabulary in
      guard let program = PolicyLoader(vocabulary: vocabulary).load(sources).program else {
        throw PolicyRefusal(check: PolicyCheck(sources, vocabulary: vocabulary))
      }
      return program
    }
    result = try whatIf.run()
    self.journal = journal
    candidate = sources.map(\.file)
  }

  /// Whether something flips, or a part of the journal is missing.
  public var isFinding: Bool {
    differs || !gaps.isEmpty || result.beginsInTheMiddle || result.damage != nil
  }

  /// Whether the candidate decides anything otherwise.
  public var differs: Bool { !result.divergences.isEmpty }

  /// What the candidate would have drawn beyond what was drawn; negative where it saves.
  public var difference: Energy { result.newLedger.total - result.oldLedger.total }

  var gaps: [ReplayReport.Gap] { result.gaps.map { ReplayReport.Gap($0) } }

  /// For how long the journal does not know what a device would have told, by device and reason, sorted.
  var unknownTotals: [(device: String, reason: String, total: TimeSpan)] {
    var totals: [String: [String: TimeSpan]] = [:]
    for stretch in result.unknown {
      totals[stretch.device.path, default: [:]][stretch.reason.rawValue, default: .zero] +=
        stretch.to - stretch.from
    }
    return totals.sorted { $0.key < $1.key }.flatMap { device, reasons in
      reasons.sorted { $0.key < $1.key }.map { (device, $0.key, $0.value) }
    }
  }
}
