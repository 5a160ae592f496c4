import StintGovernor
import StintJournal
import StintLanguage
import StintUnits

/// What a record of a host's journal says.
enum JournalEvent {
  case world(JournalWorld)
  case policies([SourceText])
  /// The hash of the image of the policies just before, 32 bytes.
  case image([UInt8])
  case inputs([Input])
  case decision(String)
  /// What stands, for who begins to read here.
  case snapshot([Input])
  /// What a process before remembered, for the policies that follow.
  case memory(GovernorMemory)
  /// Records are missing here.
  case gap(JournalGap)
  /// A file of the journal begins that goes on from another.
  case fileBegins(Int64)
  case end
  /// An event that a replay ignores.
  case other
}
