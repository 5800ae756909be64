import FusionHTTPMessages
import FusionHTTPToolkit
import FusionSessions
import FusionStrictJSON
import UIFusionKit

/// A `POST` of Inputs by lines: each is applied as it arrives, and the response comes after the last one.
///
/// The lines are read no faster than the session takes them. They go to it in parts, each of which is a request of its
/// own: it finds the session on whichever node, and needs the same rights. By a key, a repetition goes on where the
/// Inputs ended.
struct StreamedInputs: Sendable {
  static let mediaType = "application/x-ndjson"
  /// The pauses after which a part is sent again that found no room, in milliseconds; the last one goes on.
  private static let pauses = [20, 50, 100, 200]

  private let resources: SessionResources
  private let request: HTTPRequest
  private let post: HTTPHandler
  private var lines: BodyLines
  /// The first line; empty before it has come.
  private var first: [UInt8] = []
  /// The number of lines whose Inputs are applied.
  private var applied = 0
  /// The session's version after them.
  private var version = 0
  /// The number of Inputs that the next part may have: at most half of what may wait, as others send, too.
  private var room: Int
  private let largestPart: Int
  /// The number of times that the part found no room.
  private var refusals = 0

  /// The response to a part that ends the stream.
  private struct Refused: Error {
    let response: HTTPResponse
  }

  /// Creates the Inputs of a request, whose parts `post` answers.
  init(_ resources: SessionResources, _ request: HTTPRequest, post: @escaping HTTPHandler) {
    self.resources = resources
    self.request = request
    self.post = post
    lines = BodyLines(of: request, limit: resources.bodyLimit)
    let limits = resources.host.limits
    largestPart = max(1, min(limits.queuedInputs / 2, limits.batch))
    room = largestPart
  }

  /// Applies the Inputs; returns the response to the request.
  mutating func apply() async -> HTTPResponse {
    do {
      // Whether there is such a session is told before the first line comes.
      _ = try await submit([])
      while let arrived = try await lines.next() { try await apply(arrived) }
      return HTTPResponse(
        200,
        json: Array(#"{"version":\#(version),"applied":\#(applied)}"#.utf8)
      )
    } catch let refused as Refused {
      return counted(refused.response)
    } catch {
      return counted(problem(error).response)
    }
  }

  private mutating func apply(_ arrived: [ArraySlice<UInt8>]) async throws {
    if first.isEmpty, let line = arrived.first { first = Array(line) }
    var rest = arrived[...]
    while let line = rest.first {
      let part = nextPart(of: rest)
      if part.isEmpty {
        _ = try JSONDocument(Array(line))
        throw Problem.invalidInput.filled(with: "a line is one Input, and no array")
      }
      rest = rest.dropFirst(try await submit(part))
    }
  }

  /// Returns the lines at the beginning that make a part: each is JSON by itself, and no batch.
  private func nextPart(of lines: ArraySlice<ArraySlice<UInt8>>) -> ArraySlice<ArraySlice<UInt8>> {
    var (bytes, count) = (1, 0)
    return lines.prefix(room).prefix { line in
      bytes += line.count + 1
      count += 1
      return (bytes <= resources.bodyLimit || count == 1) && isInput(line)
    }
  }

  private func isInput(_ line: ArraySlice<UInt8>) -> Bool {
    guard let document = try? JSONDocument(Array(line)) else { return false }
    return document.root.kind != .array
  }

  /// Sends a part; returns how many of its Inputs were applied: none if the session had no room for them.
  private mutating func submit(_ part: ArraySlice<ArraySlice<UInt8>>) async throws -> Int {
    guard request.sender?.login?.stands != false else { throw Problem.unauthenticated }
    let time = resources.host.dependencies.time
    let began = time.now
    let response = await awaitResponse(to: self.request(with: part), from: post)
    // Another node answers within seconds, or leaves in doubt what it does.
    let isSlow = time.now - began > .seconds(1)
    let processed = response.headers[InputPart.header].flatMap { Int($0) }
    let count = processed.map { min(max($0 - applied, 0), part.count) }
    switch response.status {
    case 200..<300:
      version = response.headers["ETag"].flatMap { Int($0.filter(\.isNumber)) } ?? version
      applied += count ?? part.count
      room = isSlow ? max(1, part.count / 2) : min(room * 2, largestPart)
      refusals = 0
      return count ?? part.count
    case 429:
      if resources.readiness.phase == .draining { throw Problem.draining }
      if let failure = request.incoming?.failure { throw failure }
      room = max(1, part.count / 2)
      let pause = Self.pauses[min(refusals, Self.pauses.count - 1)]
      refusals += 1
      try await time.sleep(for: .milliseconds(pause))
      return 0
    case 400...500 where part.count > 1 && count != nil:
      // The Inputs before the refused one are applied, and that one is sent again by itself.
      applied += count ?? 0
      room = max(1, part.count / 2)
      return count ?? 0
    default:
      applied += count ?? 0
      throw Refused(response: response)
    }
  }

  /// Returns the request with a part instead of all lines.
  private func request(with part: ArraySlice<ArraySlice<UInt8>>) -> HTTPRequest {
    var request = request
    request.incoming = nil
    for name in ["Accept-Encoding", "Content-Length", "Expect", "Transfer-Encoding"] {
      request.headers[name] = nil
    }
    request.headers["Content-Type"] = "application/json"
    request.headers["Prefer"] = "return=minimal"
    if part.isEmpty { request.headers["Idempotency-Key"] = nil }
    if part.isEmpty || applied > 0 { request.headers["If-Match"] = nil }
    request.headers[InputPart.header] =
      InputPart(applied..<applied + part.count, first: first).text
    let isAlone = part.count == 1
    request.body = Array((isAlone ? "" : "[").utf8)
    request.body += part.joined(separator: [UInt8(ascii: ",")])
    if !isAlone { request.body.append(UInt8(ascii: "]")) }
    return request
  }

  /// Returns the problem for an error of the body.
  private func problem(_ error: any Error) -> Problem {
    switch error {
    case let problem as Problem: problem
    case let error as JSONError: .malformedJSON.filled(with: "\(error)")
    case let error as BodyLines.TooLong: .contentTooLarge.limited(to: error.limit)
    default: .malformedRequest.detailed("Send the body in full.")
    }
  }

  /// Returns a problem's response with the number of applied Inputs, in `applied`.
  private func counted(_ response: HTTPResponse) -> HTTPResponse {
    var response = response
    response.headers[InputPart.header] = nil
    let member = Problem.Member("applied", json: Array("\(applied)".utf8))
    switch response.body {
    case .problem(var problem):
      problem.headers[InputPart.header] = nil
      problem.members.removeAll { $0.name == "index" }
      problem.members.append(member)
      response.body = .problem(problem)
    case .bytes(var document) where document.last == UInt8(ascii: "}"):
      // Another node has written it.
      document.removeLast()
      document += Array(#","applied":"#.utf8) + member.json + [UInt8(ascii: "}")]
      response.body = .bytes(document)
    default: break
    }
    return response
  }
}

extension SessionResources {
  /// Applies a request's lines, and answers after the last one; `post` answers a part.
  ///
  /// If the service stops meanwhile, lines that have not arrived are refused.
  func streamInputs(
    _ request: HTTPRequest,
    _ respond: PendingResponse,
    post: @escaping HTTPHandler
  ) throws(Problem) {
    try request.requireBody(of: StreamedInputs.mediaType)
    // Malformed options are refused before the first line comes.
    _ = try InputOptions(request.headers)
    let slot = try takeStreamSlot(for: request.connection.client)
    let timeouts = host.timeouts
    let stop = timeouts.start(after: .seconds(Int32.max)) { [body = request.incoming] in
      body?.fail(Problem.draining)
    }
    Task.detached(executorPreference: host.dependencies.executor) { [self] in
      var inputs = StreamedInputs(self, request, post: post)
      let response = await inputs.apply()
      timeouts.stop(stop)
      withExtendedLifetime(slot) { respond(response) }
    }
  }
}
