/// The error for policies that cannot be loaded; the check contains the reasons.
package struct PolicyRefusal: Error, Hashable, Sendable {
  /// The check with at least one error.
  package var check: PolicyCheck

  /// Creates the error from a failed check.
  package init(check: PolicyCheck) { self.check = check }
}

extension PolicyCheck {
  /// Returns the check itself when it has no errors.
  ///
  /// - Throws: `PolicyRefusal` when it has errors.
  package func accepted() throws(PolicyRefusal) -> PolicyCheck {
    guard !hasErrors else { throw PolicyRefusal(check: self) }
    return self
  }
}
