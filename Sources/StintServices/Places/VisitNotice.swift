/// What the watch on visits tells each receiver of the app.
public enum VisitNotice: ServiceNotice, Hashable {
  case arrived(Visit, receiver: String)
  case departed(Visit, receiver: String)
}
