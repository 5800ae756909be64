import FusionHTTPMessages
import Synchronization
import Testing

struct `An incoming body` {
  private func take(_ body: IncomingBody, _ text: String) -> IncomingBody.Intake {
    let bytes = Array(text.utf8)
    return bytes.withUnsafeBufferPointer { body.take($0) }
  }

  @Test func `takes no bytes before its first read, nor while its buffer is full`() async throws {
    let calls = Atomic(0)
    let body = IncomingBody(limit: .max) { calls.add(1, ordering: .relaxed) }
    #expect(!body.isReady && take(body, "a") == .full)
    async let first = body.next()
    while !body.isReady { await Task.yield() }
    #expect(take(body, "a") == .taken)
    #expect(try await first == Array("a".utf8))
    let large = String(repeating: "b", count: 65_536)
    #expect(take(body, large) == .taken && take(body, "c") == .full)
    #expect(try await body.next()?.count == 65_536)
    #expect(take(body, "c") == .taken)
    body.finish()
    #expect(try await body.next() == Array("c".utf8))
    #expect(try await body.next() == nil)
    #expect(calls.load(ordering: .relaxed) == 2)
  }

  @Test func `throws to a cancelled reader, and wants no more bytes`() async throws {
    let body = IncomingBody(limit: .max)
    let reader = Task { try await body.next() }
    while !body.isReady { await Task.yield() }
    reader.cancel()
    await #expect(throws: CancellationError.self) { try await reader.value }
    #expect(body.isReady && take(body, "a") == .unwanted)
  }
}
