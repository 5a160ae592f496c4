public import StintUnits

/// The value of a plugin's setting.
public enum PluginSettingValue: Hashable, Sendable {
  case text(String)
  case whole(Int)
  case span(TimeSpan)
  case flag(Bool)
}
