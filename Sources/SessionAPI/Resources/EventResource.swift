import HTTPMessages
import Sessions

/// `/sessions/{id}/events`.
extension SessionAPI {
  func followSession(_ id: SessionID, _ request: HTTPRequest) throws(Problem) -> HTTPResponse {
    let session = try session(id)
    let headers: HTTPHeaders = [
      "Content-Type": "text/event-stream",
      "Cache-Control": "no-store, no-transform",
      "X-Accel-Buffering": "no",
    ]
    if request.method == .head { return HTTPResponse(200, headers: headers) }
    let known = request.headers["Last-Event-ID"] ?? request.target.first("after")
    guard let stream = streams.open(session, known: known) else {
      // An EventSource takes any other status as the end: this one lets it come back by itself.
      var response = HTTPResponse(200, headers: headers)
      response.body = .bytes(ServerSentEvent.retry(milliseconds: 30_000))
      response.headers.append("Connection", "close")
      return response
    }
    return HTTPResponse(200, headers: headers, body: .stream(stream))
  }
}
