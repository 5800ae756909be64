import FusionGzip
import FusionHTTPMessages
import FusionSessions

/// The answer to Inputs for a client that takes gzip: compressed, on the thread that sends it, where that pays.
///
/// Who answers may be the thread that writes for all sessions. No id is in this answer, nor an entity tag: an
/// `ETag` would have to be one of the compressed form (RFC 9110 §8.8.3.3), which no `If-Match` could name.
/// Answers with an id are never compressed, nor those with a tag, which is a version's.
struct CompressedAnswer: DeferredResponse {
  /// A State of fewer bytes is sent as it is.
  static let leastState = 1_024

  let snapshot: Snapshot
  /// Nil where the answer does not say.
  let isSettled: Bool?
  let memory: MemoryGauge

  func complete(_ response: HTTPResponse) -> HTTPResponse {
    var response = response
    if let bytes = compressed {
      response.headers.append("Content-Encoding", "gzip")
      response.body = .bytes(bytes)
    } else {
      response.body = .bytes(isSettled.map(snapshot.answer(isSettled:)) ?? snapshot.text)
    }
    return response
  }

  private var compressed: [UInt8]? {
    guard let members = snapshot.deflatedMembers(memory) else { return nil }
    var part = GzipPart(stored: [UInt8(ascii: "{")])
    part.append(members)
    part.append(stored: Snapshot.answerEnd(isSettled: isSettled).utf8)
    return GzipStream.header + part.bytes + GzipStream.ending(part.sum)
  }
}

extension KeyProgress.Answer {
  /// The answer to a client that takes gzip; nil where it is not large.
  ///
  /// Of the others none says `Vary`: what answers a POST is kept by no cache (RFC 9111 §3).
  func compressed(
    _ snapshot: Snapshot,
    isSettled: Bool,
    _ memory: MemoryGauge
  ) -> HTTPResponse? {
    guard self != .minimal, snapshot.state.count >= CompressedAnswer.leastState else { return nil }
    let body = CompressedAnswer(
      snapshot: snapshot,
      isSettled: self == .full ? isSettled : nil,
      memory: memory
    )
    return HTTPResponse(
      self == .full ? 200 : 202,
      headers: ["Content-Type": "application/json", "Vary": "Accept-Encoding"],
      body: .deferred(body)
    )
  }
}
