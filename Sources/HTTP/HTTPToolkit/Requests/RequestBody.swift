package import FusionHTTPMessages
package import FusionStrictJSON

extension HTTPRequest {
  /// Returns the body as JSON; throws if it is not declared as JSON, or is not valid JSON.
  package func json() throws(Problem) -> JSONDocument {
    try requireJSON()
    do {
      return try JSONDocument(body)
    } catch {
      throw .malformedJSON.filled(with: "\(error)")
    }
  }

  /// Throws if the body is not declared as JSON in UTF-8 (RFC 9110 §8.3), or as encoded (§8.4).
  package func requireJSON() throws(Problem) { try requireBody(of: "application/json") }

  /// Throws if the body is not declared as of a media type, in UTF-8, or as encoded.
  package func requireBody(of type: String) throws(Problem) {
    let codings =
      headers.list("Content-Encoding")?.split(separator: ",").map { String($0.trimmingBlanks) }
      ?? []
    guard codings.allSatisfy({ $0.isEmpty || equalWithoutCase($0, "identity") }) else {
      throw .unsupportedMediaType.detailed(
        "Send the body as it is, without Content-Encoding: the service reads no compressed bodies."
      ).with("Accept-Encoding", "identity")
    }
    guard let declared = headers["Content-Type"] else { throw .unsupportedMediaType }
    if declared == type { return }
    guard headers.declareBody(of: type) else { throw .unsupportedMediaType }
    for parameter in declared.split(separator: ";").dropFirst() {
      let pair = parameter.split(separator: "=", maxSplits: 1).map { String($0.trimmingBlanks) }
      guard let name = pair.first, equalWithoutCase(name, "charset") else { continue }
      guard pair.count == 2, equalWithoutCase(pair[1].unquoted, "utf-8") else {
        throw .unsupportedMediaType
      }
    }
  }
}

extension HTTPHeaders {
  /// Whether they declare the body as of a media type, with whatever parameters.
  package func declareBody(of type: String) -> Bool {
    guard let essence = self["Content-Type"]?.split(separator: ";").first else { return false }
    return equalWithoutCase(String(essence.trimmingBlanks), type)
  }
}

extension JSONValue {
  /// Decodes a body; throws `unknown-member` for an unknown member, and `problem` if the body does not fit
  /// otherwise.
  package func decode<Body: Decodable>(_ type: Body.Type, or problem: Problem) throws(Problem)
    -> Body
  {
    do {
      return try decode(type)
    } catch {
      let problem = error.kind == .unknownMember ? .unknownMember : problem
      throw problem.filled(with: "\(error)").naming(error.member)
    }
  }
}

extension String {
  fileprivate var unquoted: String {
    count >= 2 && first == "\"" && last == "\"" ? String(dropFirst().dropLast()) : self
  }
}
