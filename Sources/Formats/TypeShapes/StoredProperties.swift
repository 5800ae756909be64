@_spi(Reflection) import Swift

/// The stored properties of a struct or a class, as the compiler leaves them for `Mirror`.
///
/// Read where a type cannot be asked: it takes no value of the type to know them.
struct StoredProperties {
  private var types: [String: any Any.Type] = [:]

  init(of type: Any.Type) {
    var types: [String: any Any.Type] = [:]
    _ = unsafe _forEachField(of: type) { name, _, type, _ in
      // Guard: a field's name ends with a zero, and lives as long as the process.
      unsafe types[String(cString: name)] = type
      return true
    }
    self.types = types
  }

  /// The type of a property that is coded under its own name; nil where there is none.
  ///
  /// What a wrapper stores has an underscore in front of the property's name.
  func type(codedAs name: String) -> Any.Type? { types[name] ?? types["_" + name] }
}
