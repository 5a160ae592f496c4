/// What the watch on regions tells: that a line was crossed, not where.
public enum RegionNotice: ServiceNotice, Hashable {
  /// Where it stands when first known; neither a coming nor a going.
  case known(region: String, isInside: Bool)
  case entered(String)
  case exited(String)
}
