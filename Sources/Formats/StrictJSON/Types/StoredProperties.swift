@_spi(Reflection) import Swift

/// The stored properties of a struct, from the metadata that the compiler emits for `Mirror`.
///
/// Needs no value of the type. This is the package's only use of `_forEachField`, the interface on which
/// `Mirror` is built: `Mirror` itself needs a value, and does not report offsets.
package struct StoredProperties {
  package struct Property {
    package let name: String
    package let type: any Any.Type
    /// The offset within the struct in bytes.
    package let offset: Int
  }

  /// The properties in the order of their declaration.
  package let all: [Property]

  /// Reads the properties; fails if the type is neither a struct nor a tuple.
  package init?(of type: Any.Type) {
    var all: [Property] = []
    let isStruct = unsafe _forEachField(of: type) { name, offset, type, _ in
      // Guard: a field's name ends with a zero and is never freed.
      all.append(Property(name: unsafe String(cString: name), type: type, offset: offset))
      return true
    }
    guard isStruct else { return nil }
    self.all = all
  }

  /// Returns the type of the property that is coded under a name.
  ///
  /// The name of a property wrapper's storage is the property's name after an underscore.
  package func type(codedAs name: String) -> Any.Type? {
    (all.last { $0.name == name } ?? all.last { $0.name == "_" + name })?.type
  }
}
