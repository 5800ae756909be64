package import FusionHTTPMessages
package import FusionHTTPToolkit
import FusionSessionAPI
import FusionStrictJSON
import Synchronization
public import UIFusionKit

/// A request to a route, or on its way through a ``Middleware``.
public struct Request: Sendable {
  package var http: HTTPRequest
  private let path: PathParameters?
  private let sendersSessions: HostedSessions
  private let senderUse = SenderUse()

  /// Whether the program has asked for the sender or the sender's sessions, so that the answer depends on them.
  var dependsOnSender: Bool { senderUse.has.load(ordering: .relaxed) }

  private final class SenderUse: Sendable {
    let has = Atomic(false)

    func note() { has.store(true, ordering: .relaxed) }
  }

  /// The sessions of this service, on all its nodes, that the sender may use; they know this request's id and trace.
  public var sessions: HostedSessions {
    senderUse.note()
    return sendersSessions
  }

  package init(_ http: HTTPRequest, _ path: PathParameters?, _ handler: @escaping HTTPHandler) {
    self.http = http
    self.path = path
    var sessions = HostedSessions(handler, for: http.sender)
    sessions.headers["X-Request-Id"] = http.id.description
    sessions.headers["traceparent"] = http.headers["traceparent"]
    sendersSessions = sessions
  }

  /// The method, in capitals.
  public var method: String { http.method.rawValue }

  /// The path, decoded.
  public var url: String { http.target.path }

  /// The pattern of the route, such as `/orders/{id}`; nil where no route matches.
  public var route: String? { path?.pattern.text }

  /// The id, which stands in the answer, in problems and in the log.
  public var id: String { http.id.description }

  /// The client's address; nil over a Unix socket.
  public var client: String? { http.connection.client?.description }

  /// The sender's identity; nil if it is unknown, and during authentication.
  public var identity: Identity? {
    senderUse.note()
    return http.sender?.details as? Identity
  }

  /// The header fields.
  public var headers: Headers {
    get { Headers(http.headers) }
    set { http.headers = newValue.fields }
  }

  /// The body; empty if the route takes it ``RequestBody/streamed``.
  public var body: [UInt8] { http.body }

  /// The body, in the parts in which it arrives; in one part if the route takes it ``RequestBody/whole``.
  ///
  /// Read it before you answer: what is left then is thrown away, or the connection closed.
  public var stream: RequestStream { RequestStream(of: http) }

  /// Returns a parameter of the path, `{name}` in its pattern.
  ///
  /// - Throws: 404 if the text there is empty or not a value of the type.
  public func parameter<Value: LosslessStringConvertible>(
    _ name: String,
    as type: Value.Type = String.self
  ) throws(HTTPError) -> Value {
    guard let text = path?[name, as: String.self], !text.isEmpty, let value = Value(text) else {
      throw HTTPError(.notFound)
    }
    return value
  }

  /// Returns the first member of the query with this name; nil if there is none.
  ///
  /// - Throws: 400 if the member is not a value of the type.
  public func query<Value: LosslessStringConvertible>(
    _ name: String,
    as type: Value.Type = String.self
  ) throws(HTTPError) -> Value? {
    guard let text = http.target.first(name) else { return nil }
    guard let value = Value(text) else {
      let detail = "Give \(name) a value of the type \(type)."
      throw HTTPError(Problem.invalidQuery.filled(with: detail).naming(name))
    }
    return value
  }

  /// Decodes the body as JSON, as strictly as an Input.
  ///
  /// - Throws: 415, 400 or 422, with the place and the faulty member; 500 where the route takes the body
  ///   ``RequestBody/streamed``.
  public func decode<Body: Decodable>(as type: Body.Type = Body.self) throws(HTTPError) -> Body {
    guard http.incoming == nil else {
      throw HTTPError(500, "The route takes its body in parts: it cannot decode it.")
    }
    do throws(Problem) {
      let document = try http.json()
      do throws(JSONError) {
        return try document.root.decodeGiven(type)
      } catch {
        let problem: Problem = error.kind == .unknownMember ? .unknownMember : .invalidBody
        throw problem.filled(with: "\(error)").naming(error.member)
      }
    } catch {
      throw HTTPError(error)
    }
  }
}
