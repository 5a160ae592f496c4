/// Policies that cannot be loaded; the check says why.
public struct PolicyRefusal: Error, Hashable, Sendable {
  public var check: PolicyCheck

  /// Refuses what was checked.
  public init(check: PolicyCheck) { self.check = check }
}

extension PolicyCheck {
  /// The check itself when nothing is wrong with the policies.
  public func accepted() throws(PolicyRefusal) -> PolicyCheck {
    guard !hasErrors else { throw PolicyRefusal(check: self) }
    return self
  }
}
