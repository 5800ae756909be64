import FusionExampleViewModels
import FusionHTTPMessages
import FusionHTTPToolkit
import FusionSessionAPI
import FusionSessions
import FusionStoreDoubles
import FusionStrictJSON
import Synchronization
import Testing
import UIFusionKit
import UIFusionServer
import UIFusionTesting

/// The API in process, on a test clock: takes the requests and gives the answers that a socket would carry.
///
/// With a store, its process can be killed and restarted: see ``restarted(after:hosting:)``.
struct Client {
  let clock: TestClock
  let host: SessionHost
  let api: SessionAPI
  private let setup: Setup
  let lifeline: Lifeline?

  /// The parts that stay the same from one process to the next.
  private struct Setup {
    var viewModels: [HostedViewModel]
    let limits: SessionLimits
    let options: SessionAPI.Options
    let files: FileIndex
    let store: MemorySessionStore?
    let inputReport: (@Sendable (SessionID, InputRecord) -> Void)?
    let isWatchable: Bool
  }

  init(
    limits: SessionLimits = SessionLimits(),
    options: SessionAPI.Options = SessionAPI.Options(),
    files: FileIndex = .empty,
    store: MemorySessionStore? = nil,
    executor: (any TaskExecutor)? = nil,
    hosting more: (inout ViewModelCatalog) -> Void = { _ in },
    inputReport: (@Sendable (SessionID, InputRecord) -> Void)? = nil,
    isWatchable: Bool = false
  ) {
    var catalog = ViewModelCatalog()
    catalog.host("counter", summary: "Counts slowly") { CounterViewModel(time: $0.time) }
    catalog.host("counter-sync", summary: "Counts") { _ in CounterSyncViewModel() }
    catalog.host("slow", summary: "Takes its time") { Slow(time: $0.time) }
    catalog.host("notes", summary: "Takes notes", parameters: Notes.Parameters.self) { given, _ in
      try Notes(given)
    }
    more(&catalog)
    let setup = Setup(
      viewModels: catalog.viewModels,
      limits: limits,
      options: options,
      files: files,
      store: store,
      inputReport: inputReport,
      isWatchable: isWatchable
    )
    self.init(setup, TestClock(), (try? store?.inventory()) ?? StoreInventory(), executor)
  }

  private init(
    _ setup: Setup,
    _ clock: TestClock,
    _ inventory: StoreInventory,
    _ executor: (any TaskExecutor)? = nil
  ) {
    var dependencies = clock.dependencies
    dependencies.random = RandomSource(seed: 1)
    dependencies.executor = executor ?? dependencies.executor
    self.setup = setup
    self.clock = clock
    lifeline = setup.store.map(Lifeline.init)
    host = SessionHost(
      setup.viewModels,
      limits: setup.limits,
      dependencies: dependencies,
      store: lifeline,
      inventory: inventory,
      inputReport: setup.inputReport,
      isWatchable: setup.isWatchable
    )
    api = SessionAPI(host, files: setup.files, options: setup.options)
    api.readiness.phase = .ready
  }

  /// Creates a client of the same host, whose sessions are found by `locator`.
  init(_ other: Client, locatedBy locator: any SessionLocator) {
    (clock, host, setup, lifeline) = (other.clock, other.host, other.setup, other.lifeline)
    api = SessionAPI(host, locator: locator, files: setup.files, options: setup.options)
    api.readiness.phase = .ready
  }

  /// Kills the process, and starts another on its store.
  ///
  /// Sessions sleep until a request wakes them. The clock advances by `downtime`. The same view models
  /// are hosted unless others are given.
  func restarted(
    after downtime: Duration = .zero,
    hosting viewModels: [HostedViewModel]? = nil
  ) async throws -> Client {
    let store = try #require(setup.store)
    lifeline?.cut()
    // Neither the store nor a client learns of this.
    host.closeAll()
    await clock.idle()
    let next = TestClock()
    await next.advance(by: clock.now + downtime)
    var setup = setup
    setup.viewModels = viewModels ?? setup.viewModels
    return Client(setup, next, try store.inventory())
  }

  /// Sends a request and waits for its answer.
  @discardableResult
  func send(
    _ method: HTTPMethod,
    _ target: String,
    _ body: String? = nil,
    headers: HTTPHeaders = [:],
    from address: String? = nil
  ) async throws -> Answer {
    let pending = try begin(method, target, body, headers: headers, from: address)
    return try await pending.answer
  }

  /// Sends a request without waiting for its answer.
  func begin(
    _ method: HTTPMethod,
    _ target: String,
    _ body: String? = nil,
    headers: HTTPHeaders = [:],
    from address: String? = nil
  ) throws -> Pending {
    var headers = headers
    if body != nil, headers["Content-Type"] == nil {
      headers.append("Content-Type", "application/json")
    }
    var request = HTTPRequest(
      method,
      try #require(RequestTarget(target)),
      headers: headers,
      body: Array((body ?? "").utf8)
    )
    request.connection.client = try address.map { try #require(IPAddress($0)) }
    let pending = Pending()
    api.handle(request, pending)
    return pending
  }

  /// Opens a stream.
  func follow(
    _ target: String,
    headers: HTTPHeaders = [:],
    from address: String? = nil
  ) async throws -> Reader {
    try #require(try await send(.get, target, headers: headers, from: address).stream)
  }

  /// Creates a session, and returns its path.
  func session(_ viewModel: String = "counter-sync") async throws -> String {
    let answer = try await send(.post, "/sessions", #"{"viewModel":"\#(viewModel)"}"#)
    return try #require(answer["Location"])
  }
}

/// The answer to a request, pending or given.
final class Pending: HTTPResponder {
  private struct State {
    var answers: [HTTPResponse] = []
    var waiting: CheckedContinuation<HTTPResponse, Never>?
  }

  private let state = Mutex(State())

  func callAsFunction(_ response: consuming HTTPResponse) {
    let response = response
    let waiting = state.withLock { state in
      state.answers.append(response)
      return state.waiting.take()
    }
    waiting?.resume(returning: response)
  }

  var isAnswered: Bool { state.withLock { !$0.answers.isEmpty } }

  /// The first answer; nil while it is pending.
  var first: HTTPResponse? { state.withLock { $0.answers.first } }

  /// The number of answers; more than one is a fault.
  var count: Int { state.withLock { $0.answers.count } }

  var answer: Answer {
    get async throws {
      Answer(
        await withCheckedContinuation { continuation in
          let answer = state.withLock { state in
            if state.answers.isEmpty { state.waiting = continuation }
            return state.answers.first
          }
          if let answer { continuation.resume(returning: answer) }
        }
      )
    }
  }
}

/// An answer, with its body completed.
struct Answer {
  let response: HTTPResponse

  init(_ response: HTTPResponse) {
    if case .deferred(let answer) = response.body {
      self.response = answer.complete(response)
    } else {
      self.response = response
    }
  }

  var status: Int { response.status }

  var text: String { bytes.map { String(decoding: $0, as: UTF8.self) } ?? "(a stream)" }

  var bytes: [UInt8]? {
    switch response.body {
    case .bytes(let bytes): bytes
    case .shared(let bytes): bytes.array
    case .source(let source, let part): source.bytes(part)
    case .problem(let problem): problem.document()
    case .deferred, .stream: nil
    }
  }

  subscript(header: String) -> String? { response.headers[header] }

  func json() throws -> JSONValue {
    try JSONDocument(Array(text.utf8)).root
  }

  /// A member of a problem, as text.
  func member(_ name: String) throws -> String? {
    try json()[name]?.string
  }

  var stream: Reader? {
    guard case .stream(let stream) = response.body else { return nil }
    return Reader(stream)
  }
}

/// A reader that opens, pulls and closes a stream as a server does.
final class Reader: Sendable {
  let stream: any BodyStream
  private let wakeCount = Mutex(0)
  private let cutCount = Mutex(0)

  init(_ stream: any BodyStream) {
    self.stream = stream
    stream.opened(
      wake: { [weak self] in self?.wakeCount.withLock { $0 += 1 } },
      cut: { [weak self] in self?.cutCount.withLock { $0 += 1 } }
    )
  }

  /// The number of times that the stream has asked to be read.
  var wakes: Int { wakeCount.withLock { $0 } }

  /// The number of times that the stream has given up on its client.
  var cuts: Int { cutCount.withLock { $0 } }

  /// Returns the text that is ready to send, with `<end>` if the stream has finished.
  func read() -> String {
    let (chunks, isEnd) = readChunks()
    return chunks.map { String(decoding: $0, as: UTF8.self) }.joined() + (isEnd ? "<end>" : "")
  }

  /// Returns the chunks that are ready to send, and whether the stream has finished.
  func readChunks() -> (chunks: [[UInt8]], isEnd: Bool) {
    var chunks: [[UInt8]] = []
    while true {
      switch stream.next() {
      case .chunk(let chunk): chunks.append(Array(chunk.content))
      case .idle: return (chunks, false)
      case .finished, .failed: return (chunks, true)
      }
    }
  }

  func close() {
    stream.closed()
  }
}

extension BodySource {
  /// Returns the bytes of a part, as far as the source has them.
  fileprivate func bytes(_ part: Range<Int>) -> [UInt8] {
    var bytes: [UInt8] = []
    var buffer = [UInt8](repeating: 0, count: 100_000)
    while bytes.count < part.count {
      let room = min(buffer.count, part.count - bytes.count)
      let count = buffer.withUnsafeMutableBytes {
        read(
          from: part.lowerBound + bytes.count,
          into: UnsafeMutableRawBufferPointer(rebasing: $0[..<room])
        )
      }
      guard count > 0 else { break }
      bytes += buffer[..<count]
    }
    return bytes
  }
}
