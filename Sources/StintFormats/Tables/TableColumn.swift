/// A column that a reader of tables looks for.
struct TableColumn {
  var name: String
  var isRequired = false
}
