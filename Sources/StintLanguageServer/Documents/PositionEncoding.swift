/// What editor and server count within a line.
enum PositionEncoding: String, Hashable, Sendable {
  case utf8 = "utf-8"
  case utf16 = "utf-16"
}
