/// What an app tells its watch on visits.
public enum VisitCommand: ServiceCommand, Hashable {
  /// Another part of the app wants to be told as well.
  case listen(String)
}
