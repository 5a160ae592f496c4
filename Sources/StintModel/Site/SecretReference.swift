/// The place from which the text of a setting is read when the plugin starts. So the site file does not
/// contain this text.
///
/// The site file contains one of these forms in place of the text: `{"credential": "modem-token"}` or
/// `{"environment": "MODEM_TOKEN"}`.
public enum SecretReference: Hashable, Sendable {
  /// The file with this name in the folder `$CREDENTIALS_DIRECTORY`, which systemd makes for a service.
  case credential(String)
  /// The environment variable with this name.
  case environment(String)
}
