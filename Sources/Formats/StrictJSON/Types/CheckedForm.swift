/// A type of Foundation that ends the process, or reads foreign memory, while it decodes certain values: they
/// are checked first.
///
/// Of all `Codable` types of Foundation and the standard library only these do so, when random values are
/// decoded in child processes. Recognized by their names, as most are not in `FoundationEssentials`.
package enum CheckedForm: String {
  case characterSet = "CharacterSet"
  case indexSet = "IndexSet"
  case urlComponents = "URLComponents"

  package init?(of type: Any.Type) {
    let name = _typeName(type)
    guard name.hasPrefix("Foundation"), let last = name.split(separator: ".").last else {
      return nil
    }
    self.init(rawValue: String(last))
  }
}
