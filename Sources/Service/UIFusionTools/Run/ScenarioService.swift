import FusionCluster
import FusionDoctor
import FusionHTTPMessages
import FusionStrictJSON
import UIFusionKit

/// The service that scenarios run against.
struct ScenarioService: Sendable {
  let url: ServiceURL
  /// The header field that says who asks, by the name of the person.
  let people: [String: HTTPHeaders.Field]
  let time: any TimeSource
  private let link: NodeLink

  /// Returns nil if the system has no descriptors or no threads left.
  init?(
    _ url: ServiceURL,
    people: [String: HTTPHeaders.Field] = [:],
    time: any TimeSource
  ) {
    var options = NodeLink.Options()
    (options.connectionsPerNode, options.connectTimeout) = (1024, .seconds(10))
    options.heldConnectionsPerNode = 10_000
    guard let link = NodeLink(options) else { return nil }
    (self.url, self.people, self.time, self.link) = (url, people, time, link)
  }

  /// The service's answer.
  struct Answer {
    let status: Int
    let json: JSONTree?

    /// The last part of a problem's type (RFC 9457 §3.1.1); nil for another answer.
    var problem: String? {
      json?["type"]?.text(after: "/problems/")
    }

    /// Whether the same request may be accepted later: the service is busy, full or starting.
    var isPassing: Bool { [429, 502, 503, 504].contains(status) }

    /// The answer in a line for people.
    var text: String {
      let words = [problem] + ["title", "detail"].map { json?[$0]?.string }
      return (["\(status)"] + words.compactMap(\.self)).joined(separator: ": ")
    }
  }

  /// Sends a request again and again until the service answers for good, or no time is left.
  ///
  /// The service knows the repetition by the key. A problem of the type that is accepted is an answer, too.
  ///
  /// - Throws: ``StepFailure``.
  func ask(
    _ method: HTTPMethod,
    _ path: String,
    _ body: JSONTree? = nil,
    as person: String?,
    key: String? = nil,
    accepting refusal: String? = nil,
    repeatsUnanswered: Bool = true,
    until deadline: Duration
  ) async throws(StepFailure) -> Answer {
    var headers = fields(of: person)
    if body != nil { headers.append("Content-Type", "application/json") }
    if let key { headers.append("Idempotency-Key", key) }
    while true {
      let rest = max(.milliseconds(1), deadline - time.now)
      let request = NodeRequest(
        method,
        url.basePath + path,
        at: url.origin,
        headers: headers,
        body: body?.bytes ?? [],
        deadline: rest
      )
      let result = await withCheckedContinuation { continuation in
        link.send(request) { continuation.resume(returning: $0) }
      }
      let failure: String
      var pause = Duration.milliseconds(100)
      switch result {
      case .success(let answer):
        let seconds = answer.headers["Retry-After"].flatMap { Int($0) }.map { min($0, 1_000_000) }
        let json = (try? JSONDocument(answer.body)).map { JSONTree($0.root) }
        let answer = Answer(status: answer.status, json: json)
        if !answer.isPassing || refusal != nil && answer.problem == refusal { return answer }
        failure = answer.text
        if let seconds { pause = max(pause, .seconds(seconds)) }
      case .failure(let error):
        failure = "no answer from \(url.text): \(error.reason)"
        if case .noAnswer = error, !repeatsUnanswered { throw StepFailure([failure]) }
      }
      guard time.now + pause < deadline, (try? await time.sleep(for: pause)) != nil else {
        throw StepFailure([failure])
      }
    }
  }

  /// Opens a session's stream of States as lines of JSON; nil follows the last piece.
  func follow(
    _ path: String,
    as person: String?,
    _ take: @escaping @Sendable ([UInt8]?) -> Void
  ) -> OpenTransfer {
    var headers = fields(of: person)
    headers.append("Accept", "application/x-ndjson")
    var request = NodeRequest(.get, url.basePath + path, at: url.origin, headers: headers)
    request.lane = .held
    return link.open(request, take)
  }

  private func fields(of person: String?) -> HTTPHeaders {
    HTTPHeaders(person.flatMap { people[$0] }.map { [$0] } ?? [])
  }
}

extension ServiceURL {
  /// The service that `make run` starts.
  static let local = ServiceURL("http://127.0.0.1:8080")
}

/// The reason why a step failed, a line for each part.
struct StepFailure: Error {
  let lines: [String]

  init(_ lines: [String]) {
    self.lines = lines
  }
}

extension NodeLinkError {
  fileprivate var reason: String {
    switch self {
    case .notSent(let reason), .noAnswer(let reason): reason
    case .full: "too many requests wait"
    }
  }
}

extension JSONTree {
  var string: String? {
    if case .string(let text) = self { text } else { nil }
  }

  /// The whole number; nil for another value.
  var integer: Int? {
    if case .number(let text) = self { Int(text) } else { nil }
  }

  fileprivate func text(after start: String) -> String? {
    string.flatMap { text in
      text.firstRange(of: start).map { String(text[$0.upperBound...]) }
    }
  }
}
