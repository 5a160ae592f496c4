/// What the watch on beacons tells.
public enum BeaconNotice: ServiceNotice, Hashable {
  /// Where it stands when first known, or known again; neither a coming nor a going.
  case known(region: String, isInside: Bool)
  case entered(String)
  case exited(String)
  /// Nothing can be heard, so nothing is known: the radio is off.
  case unknown(String)
}
