/// An error as its client reads it (RFC 9457).
package struct Problem: Error, Sendable, Equatable {
  /// The stable name of this kind of problem, the last segment of its type.
  package var name: String
  package var title: String
  package var status: Int
  /// The sentence that tells the client what to do next.
  package var detail: String
  /// Extension members (RFC 9457 §3.2): each a name and its value as JSON.
  package var members: [Member] = []
  package var headers: HTTPHeaders = [:]

  package struct Member: Sendable, Equatable {
    package var name: String
    package var json: [UInt8]

    package init(_ name: String, json: [UInt8]) {
      self.name = name
      self.json = json
    }
  }

  /// Creates a problem; only the tables of problems call this.
  package init(_ status: Int, _ name: String, _ title: String, detail: String) {
    self.status = status
    self.name = name
    self.title = title
    self.detail = detail
  }

  package var type: String { "/problems/" + name }

  package func adding(_ member: String, _ value: String) -> Problem {
    adding(member, json: jsonString(value))
  }

  package func adding(_ member: String, _ values: [String]) -> Problem {
    let items = values.map(jsonString).joined(separator: [UInt8(ascii: ",")])
    return adding(member, json: [UInt8(ascii: "[")] + items + [UInt8(ascii: "]")])
  }

  package func adding(_ member: String, json: [UInt8]) -> Problem {
    var copy = self
    copy.members.append(Member(member, json: json))
    return copy
  }

  package func with(_ header: String, _ value: String) -> Problem {
    var copy = self
    copy.headers.append(header, value)
    return copy
  }

  /// The response, whose body is encoded only when it is sent, as it contains the request's id.
  package var response: HTTPResponse {
    var response = HTTPResponse(status, headers: headers, body: .problem(self))
    response.headers.append("Content-Type", "application/problem+json")
    return response
  }

  /// Encodes the problem with the id of its request, if there is one; `basePath` is the prefix of its type.
  package func document(requestID: RequestID? = nil, below basePath: String = "") -> [UInt8] {
    var bytes = Array(#"{"type":"#.utf8)
    bytes += jsonString(basePath + type)
    bytes += Array(#","title":"#.utf8) + jsonString(title)
    bytes += Array(#","status":\#(status),"detail":"#.utf8) + jsonString(detail)
    if let requestID {
      bytes += Array(#","requestId":"#.utf8) + jsonString(requestID.description)
    }
    for member in members {
      bytes += Array(",".utf8) + jsonString(member.name) + Array(":".utf8) + member.json
    }
    bytes.append(UInt8(ascii: "}"))
    return bytes
  }
}

/// Returns a JSON string literal (RFC 8259 §7).
private func jsonString(_ text: String) -> [UInt8] {
  var bytes: [UInt8] = [UInt8(ascii: "\"")]
  for byte in text.utf8 {
    switch byte {
    case UInt8(ascii: "\""), UInt8(ascii: "\\"):
      bytes += [UInt8(ascii: "\\"), byte]
    case 0..<0x20:
      let digits = String(byte, radix: 16)
      bytes += Array(("\\u" + String(repeating: "0", count: 4 - digits.count) + digits).utf8)
    default:
      bytes.append(byte)
    }
  }
  bytes.append(UInt8(ascii: "\""))
  return bytes
}
