extension CommandTable {
  /// The commands of `stint`.
  static let standard = CommandTable(forms: [CheckCommand.form])
}
