public import StintUnits

/// A type that decodes and checks one setting of a request. The check is a part of decoding, so that an error
/// names the key of the setting.
public protocol RequestForm: Decodable {
  associatedtype Value
  /// The value of the setting in a request.
  var value: Value { get }
}

extension KeyedDecodingContainer {
  /// Returns the value of a setting; nil when the key is absent. The value `null` is an error.
  ///
  /// - Throws: the error of the form.
  public func optional<Form: RequestForm>(_ form: Form.Type, _ key: Key) throws -> Form.Value? {
    contains(key) ? try decode(form, forKey: key).value : nil
  }

  /// Returns a string or a Boolean without a form; nil when the key is absent. The value `null` is an error.
  ///
  /// - Throws: the error of the type.
  public func optional<Value: Decodable>(_ type: Value.Type, _ key: Key) throws -> Value? {
    contains(key) ? try decode(type, forKey: key) : nil
  }

  /// Returns the value of a setting.
  ///
  /// - Throws: the error of the form, or `DecodingError.keyNotFound`.
  public func required<Form: RequestForm>(_ form: Form.Type, _ key: Key) throws -> Form.Value {
    try decode(form, forKey: key).value
  }
}

/// A length from 0 to `InputBounds.length`, such as `"10 m"`.
public struct LengthForm: RequestForm {
  public let value: Length

  public init(from decoder: any Decoder) throws {
    let quantity = try TextForm.quantity(decoder, .length, like: "10 m")
    value = .meters(quantity.value)
    if let reason = InputBounds.rejectionReason(for: value, "the length", .distance) {
      throw Problem(.value, cause: reason, remedy: "write it as “10 m”")
    }
  }
}

/// A rate such as `"1 per 30 s"` or `"50 Hz"`, from one in 70 years to 1 MHz. The value is the time between
/// two samples.
public struct RateForm: RequestForm {
  public let value: TimeSpan

  public init(from decoder: any Decoder) throws {
    let quantity = try TextForm.quantity(decoder, .rate, like: "1 per 30 s")
    guard let period = quantity.period, period > .zero else {
      throw Problem(
        .value, cause: "the rate is not positive", remedy: "write it as “1 per 30 s” or “50 Hz”")
    }
    if let reason = InputBounds.rejectionReason(forPeriod: period) {
      throw Problem(.value, cause: reason, remedy: "write a rate of 1 MHz or less, at least one in 70 years")
    }
    value = period
  }
}

/// A time span from 0 to 70 years, such as `"5 min"`.
public struct SpanForm: RequestForm {
  public let value: TimeSpan

  public init(from decoder: any Decoder) throws {
    value = try TimeSpan(from: decoder)
    guard let reason = InputBounds.rejectionReason(for: value) else { return }
    throw Problem(.value, cause: reason, remedy: "write it as “30 s”")
  }
}

/// A name that a client chose: one line without control characters.
public struct NameForm: RequestForm {
  public let value: String

  public init(from decoder: any Decoder) throws {
    value = try TextForm.text(decoder, remedy: "") { InputBounds.rejectionReason(forName: $0) }
  }
}

/// The identity of beacons, one word of a fact's path, such as `f7826da6`.
public struct IdentityForm: RequestForm {
  public let value: String

  public init(from decoder: any Decoder) throws {
    value = try TextForm.text(decoder, remedy: "write an identity such as f7826da6") {
      InputBounds.rejectionReason(forIdentity: $0)
    }
  }
}

/// A major or minor number of beacons, 0…65535.
public struct BeaconNumberForm: RequestForm {
  public let value: Int

  public init(from decoder: any Decoder) throws {
    value = try decoder.singleValueContainer().decode(Int.self)
    guard !(0...65_535).contains(value) else { return }
    throw Problem(
      .value, cause: "\(value) is out of range", remedy: "write a number between 0 and 65535")
  }
}

/// Values of attributes by name: strings such as `high` and `6 dB`, numbers, true and false.
struct AttributeForm: Decodable {
  let values: AttributeValues

  private struct Item: Decodable {
    var value: AttributeValue

    init(from decoder: any Decoder) throws {
      let container = try decoder.singleValueContainer()
      do { value = .truth(try container.decode(Bool.self)) } catch {
        do { value = .quantity(Quantity(try container.decode(Double.self), .none)) } catch {
          value = AttributeValue(text: try container.decode(String.self))
        }
      }
    }
  }

  init(from decoder: any Decoder) throws {
    let entries = try decoder.singleValueContainer().decode([String: Item].self)
    values = AttributeValues(entries.mapValues(\.value))
  }
}

/// Decodes and checks strings for the forms above.
private enum TextForm {
  static func text(
    _ decoder: any Decoder, remedy: String, _ rejectionReason: (String) -> String?
  ) throws -> String {
    let text = try decoder.singleValueContainer().decode(String.self)
    if let reason = rejectionReason(text) { throw Problem(.value, cause: reason, remedy: remedy) }
    return text
  }

  static func quantity(
    _ decoder: any Decoder, _ dimension: Dimension, like example: String
  ) throws -> Quantity {
    let text: String
    do {
      text = try decoder.singleValueContainer().decode(String.self)
    } catch {
      // The decoder adds the type of the value.
      throw Problem(
        .type, cause: "expected a string with a number and a unit", remedy: "write it as \"\(example)\"")
    }
    let quantity: Quantity
    do {
      quantity = try Quantity(parsing: text)
    } catch {
      throw Problem(.value, cause: error.cause, remedy: "write it as “\(example)”")
    }
    guard quantity.dimension == dimension else {
      throw Problem(
        .value,
        cause: "expected \(dimension.nameWithArticle), found the \(quantity.dimension.name) “\(text)”",
        remedy: "write it as “\(example)”")
    }
    return quantity
  }
}

/// The settings of a demand in files and messages. They contain no transfer.
extension DemandSettings: Decodable {
  enum CodingKeys: String, CodingKey, CaseIterable {
    case accuracy, rate, latency, activity, background, pause, attributes
  }

  public init(from decoder: any Decoder) throws {
    let settings = try decoder.container(keyedBy: CodingKeys.self)
    self.init(
      accuracy: try settings.optional(LengthForm.self, .accuracy)?.meters,
      period: try settings.optional(RateForm.self, .rate),
      latency: try settings.optional(SpanForm.self, .latency),
      activity: try settings.optional(String.self, .activity),
      background: try settings.optional(Bool.self, .background),
      pausing: try settings.optional(Bool.self, .pause))
    attributes = try settings.optional(AttributeForm.self, .attributes)?.values ?? AttributeValues()
  }
}
