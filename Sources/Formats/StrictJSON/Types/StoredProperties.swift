@_spi(Reflection) import Swift

/// The stored properties of a struct, from the metadata that the compiler emits for `Mirror`.
///
/// Needs no value of the type. This is the package's only use of `_forEachField`, the interface on which
/// `Mirror` is built: `Mirror` itself needs a value.
package struct StoredProperties {
  package struct Property {
    package let name: String
    package let type: any Any.Type
  }

  /// The properties in the order of their declaration.
  package let all: [Property]

  /// Reads the properties; fails if the type is neither a struct nor a tuple.
  package init?(of type: Any.Type) {
    // Reflection on any other type may follow a value, and there is none: on an existential it ends the process.
    guard Self.isStructOrTuple(type) else { return nil }
    var all: [Property] = []
    let isComplete = unsafe _forEachField(of: type) { name, _, type, _ in
      // Guard: a field's name ends with a zero and is never freed.
      all.append(Property(name: unsafe String(cString: name), type: type))
      return true
    }
    guard isComplete else { return nil }
    self.all = all
  }

  private static func isStructOrTuple(_ type: Any.Type) -> Bool {
    let metadata = unsafe unsafeBitCast(type, to: UnsafeRawPointer.self)
    // Guard: metadata is never freed and starts with its kind, by `MetadataKind` of swift/ABI/MetadataKind.def.
    return unsafe [0x200, 0x301].contains(metadata.load(as: UInt.self))
  }

  /// Returns the type of the property that is coded under a name.
  ///
  /// The name of a property wrapper's storage is the property's name after an underscore.
  package func type(codedAs name: String) -> Any.Type? {
    (all.last { $0.name == name } ?? all.last { $0.name == "_" + name })?.type
  }
}
