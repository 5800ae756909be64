import FusionHTTPMessages
import FusionSessionAPI
import FusionSessions
import Synchronization
import Testing

@testable import FusionCluster

struct `The verifier of requests between nodes` {
  private let node = Node(7, name: "a", address: "http://127.0.0.1:1")

  private func target(_ text: String) -> RequestTarget {
    RequestTarget(text) ?? .asterisk
  }

  /// Returns a request as another node sends it at a time, signed with its secrets.
  private func request(
    _ method: HTTPMethod = .post,
    secret: String = "the same on all",
    store: String = "the store's",
    time: Int64 = 1_000_000
  ) -> HTTPRequest {
    var request = HTTPRequest(
      method,
      target("/sessions/a%2Fb/inputs?x=1&y=%20"),
      headers: [
        "Prefer": "wait=5", "Host": "example.org", "Content-Type": "application/json",
        "Authorization": "Bearer a", "Cookie": "uifusion-login=a",
      ],
      body: Array("\"add\"".utf8)
    )
    request.connection.client = IPAddress("192.0.2.7")
    request.connection.isEncrypted = true
    let signed = SignedTransport.signed(
      request,
      NodeSignature(secret: Array(secret.utf8), storeSecret: Array(store.utf8)),
      Nonce(addressee: 7, sender: 1, number: 1, time: time)
    )
    return HTTPRequest(
      signed.method,
      target(signed.target),
      headers: signed.headers,
      body: signed.body
    )
  }

  /// A responder that records the accepted requests and the answers.
  private final class Recorder: HTTPResponder {
    let answers = Mutex<[HTTPResponse]>([])
    let taken = Mutex<[HTTPRequest]>([])

    func callAsFunction(_ response: consuming HTTPResponse) {
      let response = response
      answers.withLock { $0.append(response) }
    }
  }

  private func verifier(_ recorder: Recorder, number: Int64? = 7) -> NodeRequestVerifier {
    NodeRequestVerifier(
      NodeSignature(
        secret: Array("the same on all".utf8),
        storeSecret: Array("the store's".utf8)
      ),
      number: { number },
      now: { 1_000_000 },
      handler: { request, respond in
        recorder.taken.withLock { $0.append(request) }
        respond(HTTPResponse(200))
      }
    )
  }

  private func answer(_ request: HTTPRequest, number: Int64? = 7) -> (Int, String?) {
    let recorder = Recorder()
    verifier(recorder, number: number).handle(request, recorder)
    let answer = recorder.answers.withLock { $0[0] }
    #expect(recorder.taken.withLock { $0.isEmpty } == (answer.status != 200))
    return (answer.status, answer.headers[NodeHeaders.refusal])
  }

  @Test func `accepts a request that a node signed, as that node received it`() throws {
    let recorder = Recorder()
    verifier(recorder).handle(request(), recorder)
    let taken = try #require(recorder.taken.withLock { $0.first })
    #expect(taken.isFromNode && taken.connection.isEncrypted)
    #expect(taken.connection.client == IPAddress("192.0.2.7"))
    #expect(taken.headers["Prefer"] == "wait=5")
    #expect(taken.headers.fields.allSatisfy { !$0.name.hasPrefix("UIFusion") })
    // The signing node authenticates the sender and forwards no credentials.
    #expect(taken.headers["Authorization"] == nil && taken.headers["Cookie"] == nil)
  }

  @Test func `refuses requests without a valid signature`() {
    #expect(answer(HTTPRequest(.get, target("/healthz"))) == (403, "unsigned"))
    #expect(answer(request(secret: "another one")) == (403, "unsigned"))
    #expect(answer(request(store: "another one's")) == (403, "unsigned"))
  }

  @Test func `refuses requests that were changed on the way`() {
    var changes: [HTTPRequest] = []
    for header in ["Prefer", "Content-Type", NodeHeaders.arrival, NodeHeaders.nonce] {
      var changed = request()
      changed.headers[header] = (changed.headers[header] ?? "") + "1"
      changes.append(changed)
      changed.headers[header] = nil
      changes.append(changed)
    }
    var changed = request()
    changed.body[1] = UInt8(ascii: "b")
    changes.append(changed)
    changed = request()
    changed.target = target("/sessions/a/b/inputs?x=1&y=%20")
    changes.append(changed)
    changed = request()
    changed.method = .delete
    changes.append(changed)
    changed = request()
    changed.headers.append("Idempotency-Key", "k")
    changes.append(changed)
    for change in changes { #expect(answer(change) == (403, "unsigned")) }
    #expect(answer(request()) == (200, nil))
  }

  @Test(
    arguments: [
      (1_030_000, 200), (970_000, 200), (1_030_001, 403), (969_999, 403), (.min, 403), (.max, 403),
    ] as [(Int64, Int)]
  )
  func `accepts requests at most thirty seconds old or early`(_ time: Int64, _ status: Int) {
    #expect(answer(request(time: time)).0 == status)
  }

  @Test func `accepts a request once`() {
    let recorder = Recorder()
    let verifier = verifier(recorder)
    for _ in 0..<2 { verifier.handle(request(), recorder) }
    #expect(recorder.answers.withLock { $0.map(\.status) } == [200, 403])
    #expect(recorder.answers.withLock { $0[1].headers[NodeHeaders.refusal] } == "repeated")
  }

  @Test func `accepts requests for this node only`() {
    #expect(answer(request(), number: 8) == (421, "elsewhere"))
    #expect(answer(request(), number: nil) == (421, "elsewhere"))
  }

  @Test func `accepts requests in any order, except for those far behind`() {
    let guarded = ReplayGuard()
    func takes(_ number: UInt64, from sender: UInt64 = 1) -> Bool {
      guarded.accept(Nonce(addressee: 7, sender: sender, number: number, time: 0))
    }
    #expect(takes(2) && takes(1) && takes(5) && takes(3) && takes(4))
    #expect(!takes(2) && !takes(1) && !takes(4))
    #expect(takes(2, from: 2))
    #expect(takes(200_000) && takes(200_000 - 65_535) && !takes(200_000 - 65_536))
    #expect(takes(199_999) && !takes(199_999))
  }
}
