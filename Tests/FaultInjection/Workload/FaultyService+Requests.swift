import FusionRawHTTP

/// There is none where one has to be.
package struct NoSession: Error {}

extension FaultyService {
  func newSession(of pattern: Pattern) throws -> History.SessionPath {
    let client = try RawClient(port, silence: 30)
    client.request(
      "POST /sessions",
      "Content-Type: application/json\r\n",
      body: #"{"viewModel":"\#(pattern.rawValue)"}"#
    )
    guard let path = try client.response()?["Location"] else { throw NoSession() }
    return path
  }
}

extension Round {
  /// The version that a session has now; 0 where it is not shown.
  @discardableResult
  func look(at session: History.SessionPath) throws -> Int {
    let (asked, client) = (now(), try RawClient(service.port, silence: 30))
    var text = ""
    var questions = 0
    // While a commit is in doubt nothing is shown, until the store has taken one again.
    repeat {
      client.request("GET \(session)")
      text = try client.response()?.text ?? "no answer"
      questions += 1
    } while questions < 100_000
      && (text.isEmpty || text.contains("/problems/store-unreachable"))
    guard let snapshot = Snapshot(text) else {
      recorder.record(Request(session, [], sent: asked, .unexpected(text)))
      return 0
    }
    let view = View(
      session,
      .answer,
      asked: asked,
      received: now(),
      version: snapshot.version,
      items: snapshot.items
    )
    recorder.record(view)
    return snapshot.version
  }
}
