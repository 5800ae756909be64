/// Header fields in order; names are compared without case (RFC 9110 §5.1).
package struct HTTPHeaders: Sendable, Equatable, ExpressibleByDictionaryLiteral {
  package struct Field: Sendable, Equatable {
    package var name: String
    package var value: String

    package init(name: String, value: String) {
      self.name = name
      self.value = value
    }
  }

  package private(set) var fields: [Field]

  package init(_ fields: [Field] = []) {
    self.fields = fields
  }

  package init(dictionaryLiteral elements: (String, String)...) {
    fields = elements.map { Field(name: $0.0, value: $0.1) }
  }

  /// The first field with that name; assigning replaces all of them, assigning nil removes them.
  package subscript(name: String) -> String? {
    get {
      for index in fields.indices where fields[index].isNamed(name) { return fields[index].value }
      return nil
    }
    set {
      fields.removeAll { $0.isNamed(name) }
      if let newValue { append(name, newValue) }
    }
  }

  /// Returns the values of all fields with that name.
  package func all(_ name: String) -> [String] { fields.filter { $0.isNamed(name) }.map(\.value) }

  /// Returns all fields with that name as one list, joined by ", " (RFC 9110 §5.3); nil if there are none.
  package func list(_ name: String) -> String? {
    let values = all(name)
    return values.isEmpty ? nil : values.joined(separator: ", ")
  }

  package mutating func append(_ name: String, _ value: String) {
    fields.append(Field(name: name, value: value))
  }
}

extension HTTPHeaders.Field {
  /// Returns whether the field has this name, in any case.
  package func isNamed(_ other: String) -> Bool {
    // Lengths first, since they nearly always differ.
    name.utf8.count == other.utf8.count && equalWithoutCase(name, other)
  }
}
