package import FusionHTTPMessages

/// Header fields in order; names compare without case.
public struct Headers: Sendable, Equatable, ExpressibleByDictionaryLiteral {
  package var fields: HTTPHeaders

  package init(_ fields: HTTPHeaders) {
    self.fields = fields
  }

  /// Makes fields in the order in which they are written.
  public init(dictionaryLiteral elements: (String, String)...) {
    fields = HTTPHeaders(elements.map { HTTPHeaders.Field(name: $0.0, value: $0.1) })
  }

  /// The first field of that name; setting replaces all of them, nil removes them.
  public subscript(name: String) -> String? {
    get { fields[name] }
    set { fields[name] = newValue }
  }

  /// Returns the values of all fields of that name.
  public func all(_ name: String) -> [String] { fields.all(name) }

  /// Adds a field; those of the same name stay.
  public mutating func add(_ name: String, _ value: String) {
    fields.append(name, value)
  }
}
