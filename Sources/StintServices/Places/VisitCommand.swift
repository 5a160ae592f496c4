/// What an app tells its watch on visits.
public enum VisitCommand: ServiceCommand, Hashable {
  /// Adds a receiver: another part of the app that gets the notices too.
  case listen(String)
}
