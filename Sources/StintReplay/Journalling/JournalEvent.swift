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
  /// The current state as inputs, for readers that start here.
  case snapshot([Input])
  /// The state that the previous process saved. It applies to the policies that follow.
  case memory(GovernorMemory)
  /// Records are missing here.
  case gap(JournalGap)
  /// The start of a journal file that continues another file. The value is its index.
  case fileBegins(Int64)
  case end
  /// An event that a replay ignores.
  case other
}
