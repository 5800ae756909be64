package import FusionHTTPMessages
package import FusionSessions
import Synchronization

/// The transport over a ``NodeLink``, which signs each request.
package final class SignedTransport: NodeTransport {
  private let link: NodeLink
  private let signature: NodeSignature
  private let sender = UInt64.random(in: .min ... .max)
  private let numbers = Atomic<UInt64>(0)
  private let now: @Sendable () -> Int64

  /// - Parameters:
  ///   - link: the connections.
  ///   - signature: signs with the secret of all nodes.
  ///   - now: the calendar's time, in milliseconds since 1970.
  package init(
    _ link: NodeLink,
    _ signature: NodeSignature,
    now: @escaping @Sendable () -> Int64
  ) {
    self.link = link
    self.signature = signature
    self.now = now
  }

  package func forward(
    _ request: HTTPRequest,
    to node: Node,
    within deadline: Duration,
    over lane: NodeLane,
    _ done: @escaping @Sendable (Result<HTTPResponse, ForwardingError>) -> Void
  ) {
    var signed = self.signed(request, for: node)
    signed.deadline = deadline
    signed.lane = lane
    let isHead = request.method == .head
    link.send(signed) { done(response($0, toHead: isHead)) }
  }

  package func open(
    _ request: HTTPRequest,
    on node: Node,
    over lane: NodeLane,
    _ take: @escaping @Sendable (UpstreamEvent) -> Void
  ) -> any Upstream {
    var signed = self.signed(request, for: node)
    signed.lane = lane
    return link.open(signed) { bytes in take(bytes.map { .bytes($0) } ?? .end) }
  }

  private func signed(_ request: HTTPRequest, for node: Node) -> NodeRequest {
    let nonce = Nonce(
      addressee: node.number,
      sender: sender,
      number: numbers.add(1, ordering: .relaxed).newValue,
      time: now()
    )
    var signed = Self.signed(request, signature, nonce)
    signed.address = node.address
    return signed
  }

  static func signed(
    _ request: HTTPRequest,
    _ signature: NodeSignature,
    _ nonce: Nonce
  ) -> NodeRequest {
    var headers = HTTPHeaders(request.headers.fields.filter { !NodeHeaders.isStripped($0) })
    headers[RequestID.header] = request.id.description
    headers.append(NodeHeaders.nonce, nonce.text)
    let arrival = [request.connection.textBetweenNodes, request.sender?.wordBetweenNodes]
    headers.append(NodeHeaders.arrival, arrival.compactMap(\.self).joined(separator: " "))
    // Nodes send each other a body with no other method.
    let body = request.method == .post ? request.body : []
    let target = request.target.text
    headers.append(NodeHeaders.signature, signature.text(request.method, target, headers, body))
    return NodeRequest(request.method, target, headers: headers, body: body)
  }
}

extension OpenTransfer: Upstream {}

private func response(
  _ result: Result<NodeAnswer, NodeLinkError>,
  toHead isHead: Bool
) -> Result<HTTPResponse, ForwardingError> {
  switch result {
  case .failure(.notSent(let text)): return .failure(.notSent(text))
  case .failure(.full): return .failure(.full)
  case .failure(.noAnswer(let text)): return .failure(.noAnswer(text))
  case .success(let answer):
    if let refusal = answer.headers[NodeHeaders.refusal] {
      switch NodeRefusal(rawValue: refusal) {
      case .elsewhere: return .failure(.notOwner)
      case .unsigned, nil: return .failure(.notSent("it does not know this node's signature"))
      case .repeated: return .failure(.noAnswer("it had the request before"))
      }
    }
    if answer.status == 421 || answer.isOfLeavingNode { return .failure(.notOwner) }
    var headers = HTTPHeaders(answer.headers.fields.filter(isPassedOn))
    // The length belongs to a body that is not sent.
    if isHead || answer.status == 304 {
      headers["Content-Length"] = answer.headers["Content-Length"]
    }
    return .success(HTTPResponse(answer.status, headers: headers, body: .bytes(answer.body)))
  }
}

extension NodeAnswer {
  /// Whether the node is stopping or starting, by the same response that its own clients get.
  fileprivate var isOfLeavingNode: Bool {
    guard status == 503, headers["Content-Type"] == "application/problem+json" else { return false }
    let type = "\(Problem.draining.type)\""
    return String(decoding: body.prefix { $0 != UInt8(ascii: ",") }, as: UTF8.self).hasSuffix(type)
  }
}

/// Whether a header is passed on: each server makes some itself.
private func isPassedOn(_ field: HTTPHeaders.Field) -> Bool {
  !NodeHeaders.isStripped(field) && !["Date", RequestID.header].contains(where: field.isNamed)
}
