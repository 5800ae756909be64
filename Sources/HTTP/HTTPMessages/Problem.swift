/// An error in the form that clients get (RFC 9457).
///
/// Each problem is a row of one table, declared once as a static constant: name, status, texts and page. If
/// its detail contains `{}`, the constant is a template; ``filled(with:)`` or ``limited(to:)`` completes it.
package struct Problem: Error, Sendable, Equatable {
  package let kind: ProblemKind
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

  /// Declares a row of the table.
  ///
  /// Some problems of the kind have the `other` status. `detail` tells in one sentence what to do next, with
  /// `{}` for its variable part. The problem's page has `meaning`, what has happened, and `advice`, what to
  /// do about it, by default the detail. `limit` is the flag of the limit that was reached; detail and page
  /// then name it.
  package init(
    _ status: Int,
    or other: Int? = nil,
    _ name: String,
    _ title: String,
    detail: String,
    meaning: String,
    advice: String? = nil,
    limit: String? = nil
  ) {
    let raising = limit.map { " Whoever runs the service can raise the limit with --\($0)." }
    kind = ProblemKind(
      name,
      title,
      statuses: [status] + (other.map { [$0] } ?? []),
      meaning: meaning,
      advice: (advice ?? detail) + (raising ?? ""),
      limit: limit
    )
    self.status = status
    self.detail = detail + (limit.map { " The limit is {}; --\($0) sets it." } ?? "")
  }

  /// Creates a problem that the program defines itself, outside the table.
  ///
  /// `type` is a URI reference; `about:blank` adds nothing to the status (RFC 9457 §4.2.1).
  package init(own type: String, _ status: Int, title: String, detail: String) {
    kind = ProblemKind(own: type, title, status)
    self.status = status
    self.detail = detail
  }

  package static func == (a: Problem, b: Problem) -> Bool {
    a.name == b.name && a.status == b.status && a.detail == b.detail && a.members == b.members
      && a.headers == b.headers
  }

  /// The stable name of this kind of problem, the last segment of its type.
  package var name: String { kind.name }

  package var title: String { kind.title }

  package var type: String { kind.type }

  /// Returns the type, prefixed with the base path if it is one of the service's paths.
  package func type(below basePath: String) -> String {
    kind.isOwn ? kind.type : basePath + kind.type
  }

  /// Returns the problem with `text` in place of the `{}` in its detail.
  package func filled(with text: String) -> Problem {
    detailed(detail.replacing("{}", with: text, maxReplacements: 1))
  }

  /// Returns the problem with a limit in its detail and in the member `limit`.
  package func limited(to limit: Int) -> Problem {
    filled(with: "\(limit)").adding("limit", json: Array(String(limit).utf8))
  }

  /// Returns the problem with another detail.
  package func detailed(_ detail: String) -> Problem { changed { $0.detail = detail } }

  /// Returns the problem with another status of its kind.
  package func with(status: Int) -> Problem { changed { $0.status = status } }

  /// Returns the problem with `member`, which names the faulty part of the request; unchanged for nil.
  package func naming(_ member: String?) -> Problem {
    member.map { adding("member", $0) } ?? self
  }

  package func adding(_ member: String, _ value: String) -> Problem {
    adding(member, json: jsonString(value))
  }

  package func adding(_ member: String, _ values: [String]) -> Problem {
    let items = values.map(jsonString).joined(separator: [UInt8(ascii: ",")])
    return adding(member, json: [UInt8(ascii: "[")] + items + [UInt8(ascii: "]")])
  }

  package func adding(_ member: String, json: [UInt8]) -> Problem {
    changed { $0.members.append(Member(member, json: json)) }
  }

  package func with(_ header: String, _ value: String) -> Problem {
    changed { $0.headers.append(header, value) }
  }

  private func changed(_ change: (inout Problem) -> Void) -> Problem {
    var copy = self
    change(&copy)
    return copy
  }

  /// The response with this problem as its body.
  ///
  /// The body is written when the response is sent, since it contains the request's id.
  package var response: HTTPResponse {
    var response = HTTPResponse(status, headers: headers, body: .problem(self))
    response.headers.append("Content-Type", "application/problem+json")
    return response
  }

  /// Returns the problem as JSON, with the request's id if given; its type begins with `basePath`.
  package func document(requestID: RequestID? = nil, below basePath: String = "") -> [UInt8] {
    var bytes = Array(#"{"type":"#.utf8)
    bytes += jsonString(type(below: basePath))
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
