import FusionHTTPMessages

/// The elements of a `Forwarded` header: `for=192.0.2.60;proto=https;host=example.org` (RFC 7239 §4).
struct ForwardedElements: ForwardedHops {
  private var elements: ListElements

  init(_ header: String) {
    elements = ListElements(header)
  }

  mutating func next() -> ForwardedHop? {
    guard let element = elements.popLast(), let values = parameters(of: element) else { return nil }
    return ForwardedHop(
      client: values["for"].flatMap { nodeAddress($0[...]) },
      scheme: values["proto"].flatMap { ForwardedHop.Scheme($0) },
      host: values["host"].flatMap { forwardedHost($0[...]) }
    )
  }
}

/// Returns an element's parameters by their names in lower case; nil where it is malformed, or names one twice.
private func parameters(of element: Substring) -> [String: String]? {
  var scan = FieldScanner(element)
  var values: [String: String] = [:]
  repeat {
    scan.skipBlanks()
    let name = scan.token().lowercased()
    // A pair may be empty.
    guard !name.isEmpty else { continue }
    guard scan.scan("=") else { return nil }
    let token = scan.token()
    guard let value = token.isEmpty ? scan.quotedString() : token,
      values.updateValue(value, forKey: name) == nil
    else { return nil }
    scan.skipBlanks()
  } while scan.scan(";")
  return scan.isAtEnd ? values : nil
}
