import StintFormats
import StintGovernor
import StintJournal
import StintLanguage
public import StintModel
public import StintReplay
import StintRuntime
public import StintUnits

/// Compares the decisions and the energy in a journal with those of candidate policies.
public struct WhatIfReport: Sendable {
  /// The path of the journal.
  public var journal: String
  /// The files of the candidate.
  public var candidate: [String]
  /// The comparison of the journal with the candidate.
  public var result: WhatIf.Result

  /// Replays a journal together with a candidate: a policy file or a folder of policies.
  ///
  /// - Parameter devices: devices and facts that the candidate may use besides those of the journal; nil for
  ///   no further devices.
  /// - Throws: `Problem` when the journal cannot be read; `PolicyRefusal` when the candidate has errors.
  public init(journal: String, candidate path: String, adding devices: Vocabulary? = nil) throws {
    let sources = try PolicyFiles.read([path])
    let whatIf = try WhatIf(journal: journal, adding: devices) { vocabulary in
      guard let program = PolicyLoader(vocabulary: vocabulary).load(sources).program else {
        throw PolicyRefusal(check: PolicyCheck(sources, vocabulary: vocabulary))
      }
      return program
    }
    result = try whatIf.run()
    self.journal = journal
    candidate = sources.map(\.file)
  }

  /// True when a decision changes or a part of the journal is missing or damaged.
  public var isFinding: Bool {
    differs || !gaps.isEmpty || result.beginsInTheMiddle || result.damage != nil
  }

  /// True when the candidate makes at least one different decision.
  public var differs: Bool { !result.divergences.isEmpty }

  /// The energy of the candidate minus the energy of the journal; negative when the candidate saves energy.
  public var difference: Energy { result.newLedger.total - result.oldLedger.total }

  var gaps: [ReplayReport.Gap] { result.gaps.map { ReplayReport.Gap($0) } }

  /// The total times without data in the journal, sorted by device and reason. Under the candidate, the
  /// device would have published data in these times.
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
