import StintLanguage
import StintModel
import StintRuntime

extension Phone {
  /// Returns the codes of the diagnostics for a policy with these items. In the policy the receiver has the
  /// name `gps`.
  func codes(_ items: String) -> [DiagnosticCode] {
    let text = "policy \"test\" version 1\nuse location.gnss as gps\n\(items)\n"
    return PolicyLoader(vocabulary: vocabulary)
      .load([SourceText(file: "test.stint", bytes: Array(text.utf8))]).diagnostics.map(\.code)
  }
}
