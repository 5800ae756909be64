import FusionHTTPMessages

/// One hop in a `Forwarded` header: `for=192.0.2.60;proto=https;host=example.org` (RFC 7239 §4).
struct ForwardedElement {
  private var values: [String: String] = [:]

  /// A parameter, whose name is in lower case.
  subscript(name: String) -> String? { values[name] }

  /// From where the hop came; nil where that is hidden, or no address (§6).
  var address: IPAddress? { values["for"].flatMap(nodeAddress) }

  /// Nil where the header keeps to no grammar: then nothing of it can be believed.
  static func all(_ header: String) -> [ForwardedElement]? {
    var scan = FieldScanner(header)
    var elements: [ForwardedElement] = []
    repeat {
      var element = ForwardedElement()
      repeat {
        scan.skipBlanks()
        let name = scan.token().lowercased()
        guard !name.isEmpty, scan.scan("=") else { return nil }
        let token = scan.token()
        guard let value = token.isEmpty ? scan.quotedString() : token,
          element.values.updateValue(value, forKey: name) == nil
        else { return nil }
        scan.skipBlanks()
      } while scan.scan(";")
      elements.append(element)
    } while scan.scan(",")
    return scan.isAtEnd ? elements : nil
  }
}
