import StintGovernor
import StintJournal
import StintLanguage
import StintRuntime
import StintUnits

/// The content of a record of a host's journal.
enum JournalEvent {
  case world(JournalWorld)
  case policies([SourceText])
  /// The hash of the image of the preceding policies, 32 bytes.
  case image([UInt8])
  case inputs([Input])
  case decision(String)
  /// The current state as inputs, for readers that start at this file or after a gap.
  case snapshot([Input])
  /// The state that the previous process saved. The policies of the next `policies` event start with this
  /// state.
  case memory(GovernorMemory)
  /// Records are missing here.
  case gap(JournalGap)
  /// The start of a journal file that continues the previous file. The value is the index of this file.
  case fileBegins(Int64)
  case end
  /// An event that a replay ignores.
  case other
}
