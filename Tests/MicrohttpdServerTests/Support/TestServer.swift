import Dispatch
import FusionHTTPMessages
import FusionRawHTTP
import Synchronization
import Testing

@testable import FusionMicrohttpdServer

/// Tests over real sockets, one after another: they block threads, and two cores are few.
@Suite(.serialized, .timeLimit(.minutes(5)))
struct `A server` {}

/// The part of the server that writes a stream to its socket.
enum StreamWriter: CaseIterable {
  /// The library, which suspends and resumes connections; for TLS, and in untested versions.
  case library
  /// An event loop that takes over the socket.
  case loop
}

/// Starts a server on a free port, and stops it after the test.
func serving(
  _ adjust: (inout MicrohttpdServer.Configuration) -> Void = { _ in },
  streamsBy writer: StreamWriter = .loop,
  handler: @escaping HTTPHandler = echo,
  _ body: (MicrohttpdServer) async throws -> Void
) async throws {
  var configuration = MicrohttpdServer.Configuration(port: 0)
  configuration.threads = 2
  configuration.takesOverStreams = writer == .loop
  adjust(&configuration)
  let server = try MicrohttpdServer(configuration, handler: handler)
  do {
    try await body(server)
  } catch {
    await server.stop(within: .seconds(1))
    throw error
  }
  await server.stop(within: .seconds(1))
}

/// Answers with the request's method, path, query and body.
let echo: HTTPHandler = { request, respond in
  let query = request.target.query.map { "\($0.name)=\($0.value)" }.joined(separator: "&")
  let head = "\(request.method.rawValue) \(request.target.path) \(query) "
  respond(
    HTTPResponse(
      200,
      headers: ["Content-Type": "text/plain", "Seen-Host": request.headers["Host"] ?? "-"],
      body: .bytes(Array(head.utf8) + request.body)
    )
  )
}

/// An event that one thread sets and another waits for; fails after ten seconds.
final class Signal: Sendable {
  private let count = Mutex(0)
  private let happened = DispatchSemaphore(value: 0)

  func set() {
    count.withLock { $0 += 1 }
    happened.signal()
  }

  var times: Int { count.withLock { $0 } }

  func wait(for times: Int = 1) throws {
    while self.times < times {
      guard happened.wait(timeout: .now() + 10) == .success else {
        throw RawClient.Silence(description: "signal never came")
      }
    }
  }
}

/// A stream of scripted steps that counts the calls of its methods.
final class ScriptedStream: BodyStream {
  private struct Script {
    var steps: [BodyStep] = []
    var wake: (@Sendable () -> Void)?
    var cut: (@Sendable () -> Void)?
  }
  private let script: Mutex<Script>
  let opened = Signal()
  let ended = Signal()
  let asked = Signal()
  let askedOrEnded = Signal()

  /// The last chunk if the server stops.
  let last: BodyChunk?

  init(_ steps: [BodyStep] = [], last: BodyChunk? = nil) {
    script = Mutex(Script(steps: steps))
    self.last = last
  }

  func opened(wake: @escaping @Sendable () -> Void, cut: @escaping @Sendable () -> Void) {
    script.withLock { script in
      script.wake = wake
      script.cut = cut
    }
    opened.set()
  }

  func next() -> BodyStep {
    defer { askedOrEnded.set() }
    asked.set()
    return script.withLock { $0.steps.isEmpty ? .idle : $0.steps.removeFirst() }
  }

  func finalChunk() -> BodyChunk? { last }

  /// Ends the stream, even if its client does not read or has left.
  func cancel() {
    let cut = script.withLock { script in
      script.steps = [.finished]
      return script.cut
    }
    cut?()
  }

  func closed() {
    ended.set()
    askedOrEnded.set()
  }

  /// Adds steps and wakes the server, even after the stream's end.
  func say(_ steps: BodyStep...) {
    let wake = script.withLock { script in
      script.steps += steps
      return script.wake
    }
    wake?()
  }
}

func text(_ text: String) -> BodyStep { .chunk(BodyChunk(Array(text.utf8))) }
