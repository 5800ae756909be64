import FusionGzip
import FusionHTTPMessages
import FusionHTTPToolkit
import FusionSessions

/// The answer to Inputs for a client that takes gzip: compressed where that pays, on the thread that sends it, or in the
/// pool where it takes long.
///
/// An answer with a session's id is never compressed (BREACH), nor one with an entity tag: a compressed form would need
/// a tag of its own (RFC 9110 §8.8.3.3), which no `If-Match` could name.
struct CompressedAnswer: DeferredResponse {
  /// The size of the smallest State that is compressed.
  static let leastState = 1_024

  let snapshot: Snapshot
  /// Whether the Inputs are settled; nil where the answer does not say.
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
  /// Whether an answer with the whole State takes so long to make that no thread that others wait for makes it: neither
  /// a server's nor the store's.
  func takesLong(isCompressed: Bool) -> Bool {
    // To put a text together takes an eighth of what it takes to compress it.
    shownSize >= (isCompressed ? 16 << 10 : 128 << 10)
  }
}

extension KeyProgress.Answer {
  /// Returns the answer to a client that takes gzip; nil where the State is small.
  ///
  /// Other answers have no `Vary`: no cache keeps the answer to a POST (RFC 9111 §3).
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
