/// How a journal ends.
public enum JournalEnding: Hashable, Sendable {
  /// The reader has not reached the end.
  case unread
  /// After a whole record, or with none at all.
  case whole
  /// In the middle of a record that begins at this byte: the writer was interrupted. All records before it
  /// are whole.
  case torn(atOffset: Int64)
}
