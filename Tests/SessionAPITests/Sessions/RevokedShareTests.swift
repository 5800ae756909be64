import FusionHTTPMessages
import Testing
import UIFusionTesting

/// The holder of a share in one process, whose request waits when the share ends.
struct `A share that was revoked` {
  private let client = Client()

  @Test(arguments: [
    ["Prefer": "wait=9"], ["Prefer": "wait=9, return=minimal"], [:], ["If-Match": "*"],
    ["Prefer": "wait=30", "Idempotency-Key": "k"],
  ])
  func `gets no State for an Input that waits`(
    fields: [String: String]
  ) async throws {
    var headers = HTTPHeaders()
    for (name, value) in fields { headers[name] = value }
    for isRevoked in [true, false] {
      let path = try await client.session("counter")
      let shared = try await client.send(.post, path + "/shares", #"{"role":"driver"}"#)
      let driver = try #require(shared["Location"])
      // The first one takes half a second; without a preference, the second waits for it.
      let first = try client.begin(.post, driver + "/inputs", #""increase""#, headers: headers)
      await client.clock.idle()
      let second = try client.begin(.post, driver + "/inputs", #""increase""#)
      if isRevoked {
        let share = path + "/shares/" + driver.dropFirst("/sessions/".count)
        #expect(try await client.send(.delete, share).status == 204)
      }
      await client.clock.advance(by: .seconds(2))
      for held in [first, second] {
        let answer = try await held.answer
        guard isRevoked, held === second || fields["Prefer"] != nil else {
          #expect([200, 204].contains(answer.status))
          continue
        }
        #expect(try answer.status == 404 && answer.member("type") == "/problems/unknown-session")
        #expect(answer["ETag"] == nil)
      }
    }
  }
}
