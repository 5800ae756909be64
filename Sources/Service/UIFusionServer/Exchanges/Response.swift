package import FusionHTTPMessages
import FusionStrictJSON
public import UIFusionKit

/// An answer to a request.
public struct Response: Sendable {
  package var http: HTTPResponse
  /// The change of login that goes with the answer, if there is one.
  var login: Login?

  package init(_ http: HTTPResponse) {
    self.http = http
  }

  /// Makes an answer of bytes.
  public init(_ status: Int = 200, headers: Headers = [:], body: [UInt8] = []) {
    http = HTTPResponse(status, headers: headers.fields, body: .bytes(body))
  }

  /// Makes an answer of text; `text/plain`, unless the headers say otherwise.
  public init(_ status: Int = 200, headers: Headers = [:], text: String) {
    self.init(status, headers: headers, body: Array(text.utf8))
    if headers["Content-Type"] == nil { http.headers["Content-Type"] = "text/plain; charset=utf-8" }
  }

  /// Makes an answer of JSON, written as State is.
  public init(_ status: Int = 200, headers: Headers = [:], json: some Encodable) throws {
    http = HTTPResponse(
      status,
      json: try StrictJSON.encode(json, for: .clients),
      headers: headers.fields
    )
  }

  /// Makes an answer whose body is sent as the parts come.
  ///
  /// The next part is asked for when the client has taken the last one. The task that asks is cancelled when the
  /// client goes or the service stops. If `parts` throws, the connection is cut, so that no client takes a
  /// part for the whole.
  public init<Parts: AsyncSequence & Sendable>(
    _ status: Int = 200,
    headers: Headers = [:],
    stream parts: Parts
  ) where Parts.Element == [UInt8] {
    let stream = ResponseStream(parts)
    http = HTTPResponse(status, headers: headers.fields, body: .stream(stream))
  }

  /// The status.
  ///
  /// A problem document says the new status, too; below 400 it is left out.
  public var status: Int {
    get { http.status }
    set {
      http.status = newValue
      guard case .problem(let problem) = http.body else { return }
      if newValue >= 400 {
        http.body = .problem(problem.with(status: newValue))
      } else {
        http.body = .bytes([])
        http.headers["Content-Type"] = nil
      }
    }
  }

  /// The header fields.
  public var headers: Headers {
    get { Headers(http.headers) }
    set { http.headers = newValue.fields }
  }

  /// The body; nil where it is made as it is sent: a stream, a large file.
  public var body: [UInt8]? {
    switch http.body {
    case .bytes(let bytes): bytes
    case .shared(let bytes): bytes.array
    case .problem(let problem): problem.document()
    case .source, .deferred, .stream: nil
    }
  }
}

extension Response {
  /// A change of who a browser's user is.
  enum Login: Sendable {
    case begin(Identity, Duration)
    case end
  }

  /// Logs in the browser that gets the answer, by a signed cookie that is valid for a time, or until the identity
  /// expires, whichever is earlier.
  ///
  /// The service needs `--auth-cookies`; without it the answer is 500, and the log says why.
  public mutating func logIn(_ identity: Identity, for duration: Duration) {
    login = .begin(identity, duration)
  }

  /// Logs out the browser that gets the answer.
  ///
  /// Its login ends: streams that were opened by it end, in all tabs and on all nodes, and a copy of its cookie is
  /// refused; by a process that starts later only once it has expired. Other browsers of the same user stay logged in.
  public mutating func logOut() {
    login = .end
  }
}
