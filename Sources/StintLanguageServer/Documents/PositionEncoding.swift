/// The unit in which editor and server count columns of a line.
enum PositionEncoding: String, Hashable, Sendable {
  case utf8 = "utf-8"
  case utf16 = "utf-16"
}
