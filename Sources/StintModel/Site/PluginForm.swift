/// What a site file may say about a plugin: its name there, and its settings.
public struct PluginForm: Hashable, Sendable {
  public var name: String
  /// One sentence for people.
  public var meaning: String
  public var settings: [PluginSettingForm]

  /// Makes a form.
  public init(name: String, meaning: String, settings: [PluginSettingForm] = []) {
    self.name = name
    self.meaning = meaning
    self.settings = settings
  }
}
