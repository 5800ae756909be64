import FusionGzip
import FusionHTTPMessages
import FusionHTTPToolkit
import FusionSessions

/// The answer to Inputs for a client that accepts gzip: compressed, if worthwhile, on the thread that sends
/// it, or in the pool if it takes long.
///
/// An answer with a session's id is never compressed (BREACH), nor one with an entity tag: a compressed form
/// would need its own tag (RFC 9110 §8.8.3.3), which no `If-Match` could name.
struct CompressedAnswer: DeferredResponse {
  /// The minimum size of a State that is compressed.
  static let leastState = 1_024

  let snapshot: Snapshot
  /// Whether the Inputs are settled; nil if the answer does not report it.
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

extension Snapshot {
  /// Whether building an answer with the whole State takes too long for a server's thread or the store's.
  func takesLong(isCompressed: Bool) -> Bool {
    // Building the text takes an eighth of the time of compressing it.
    shownSize >= (isCompressed ? 16 << 10 : 128 << 10)
  }
}

extension KeyProgress.Answer {
  /// Returns the answer to a client that accepts gzip; nil if the State is small.
  ///
  /// Other answers need no `Vary`, since no cache keeps the answer to a POST (RFC 9111 §3).
  func compressed(
    _ snapshot: Snapshot,
    isSettled: Bool,
    _ memory: MemoryGauge
  ) -> HTTPResponse? {
    guard self != .minimal, snapshot.shownSize >= CompressedAnswer.leastState else { return nil }
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
