import FusionHTTPMessages
import Testing

@testable import FusionMicrohttpdServer

/// An ``ExchangeState`` in a class, since `#expect` takes no mutating call.
private final class Exchange {
  private var state = ExchangeState()
  func answer(_ response: HTTPResponse) -> Bool { state.answer(response) }
  func next() -> ExchangeState.NextAction { state.next() }
  func beginStream() { state.beginStream() }
  func wake() -> Bool { state.wake() }
  func cancelStream() -> ExchangeState.CancelAction { state.cancelStream() }
  func idle() -> ExchangeState.IdleAction { state.idle() }
  func close() -> Bool { state.close() }
  func end() -> HTTPResponse? { state.end() }
  func hold() -> Bool { state.hold() }
  func release() -> Bool { state.release() }
  var isAnswered: Bool { state.isAnswered }
}

struct `An exchange's state` {
  private let answer = HTTPResponse(200)

  private func status(_ action: ExchangeState.NextAction) -> Int? {
    if case .send(let response) = action { response.status } else { nil }
  }

  private func isSuspend(_ action: ExchangeState.NextAction) -> Bool {
    if case .suspend = action { true } else { false }
  }

  @Test func `sends at once a response that comes during the handler's call`() {
    let state = Exchange()
    #expect(!state.answer(answer))
    #expect(status(state.next()) == 200)
  }

  @Test func `resumes once for a later response`() {
    let state = Exchange()
    #expect(isSuspend(state.next()))
    #expect(state.answer(answer))
    #expect(!state.answer(HTTPResponse(201)))
    #expect(status(state.next()) == 200)
  }

  @Test func `takes no response after its end`() {
    let state = Exchange()
    #expect(state.end()?.status == nil)
    #expect(!state.answer(answer))
    #expect(status(state.next()) == nil && !isSuspend(state.next()))
  }

  @Test func `returns an unsent response at its end`() {
    let state = Exchange()
    _ = state.answer(answer)
    #expect(state.end()?.status == 200)
    #expect(state.end()?.status == nil)
  }

  @Test func `keeps a wake that comes before its stream is idle`() {
    let state = Exchange()
    state.beginStream()
    #expect(!state.wake())
    #expect(state.idle() == .askAgain)
    #expect(state.idle() == .suspend)
    #expect(state.wake())
    #expect(!state.wake())
    #expect(state.idle() == .askAgain)
  }

  @Test func `resumes an idle stream to cancel it, and cuts an active one`() {
    let state = Exchange()
    #expect(state.cancelStream() == .nothing)
    state.beginStream()
    #expect(state.cancelStream() == .cut)
    #expect(state.idle() == .suspend)
    #expect(state.cancelStream() == .resume)
    #expect(!state.wake())
    _ = state.end()
    #expect(state.cancelStream() == .nothing)
  }

  @Test func `holds a body back until its reader wants more or a response comes`() {
    let state = Exchange()
    #expect(!state.release())
    #expect(state.hold() && !state.hold())
    #expect(state.release() && !state.release())
    #expect(state.hold())
    #expect(state.answer(answer) && state.isAnswered)
    #expect(!state.hold() && !state.release())
    #expect(status(state.next()) == 200)
    let closing = Exchange()
    #expect(closing.hold())
    #expect(closing.close())
    #expect(!closing.hold())
    #expect(status(closing.next()) == 503)
  }

  @Test func `suspends neither a request nor a stream once it closes`() {
    let state = Exchange()
    #expect(!state.close())
    #expect(status(state.next()) == 503)
    let stream = Exchange()
    stream.beginStream()
    #expect(!stream.close())
    #expect(stream.idle() == .end)
  }

  @Test func `is resumed by closing`() {
    let waiting = Exchange()
    _ = waiting.next()
    #expect(waiting.close())
    #expect(!waiting.answer(answer))
    #expect(status(waiting.next()) == 503)
    #expect(!waiting.answer(answer))
    let resting = Exchange()
    resting.beginStream()
    #expect(resting.idle() == .suspend)
    #expect(resting.close())
    #expect(!resting.wake())
    #expect(resting.idle() == .end)
  }
}

struct `A stream's reader` {
  private func fill(_ reader: inout StreamReader, _ count: Int, isEnding: Bool = false)
    -> (StreamReader.Outcome, String)
  {
    var buffer = [UInt8](repeating: 0x2e, count: count)
    let outcome = buffer.withUnsafeMutableBytes { reader.fill($0, isEnding: isEnding) }
    return (outcome, String(decoding: buffer, as: UTF8.self))
  }

  @Test func `fills a buffer with as many steps as fit`() {
    var reader = StreamReader(ScriptedStream([text("ab"), text("cd"), text("ef"), .finished]))
    #expect(fill(&reader, 5) == (.wrote(5), "abcde"))
    #expect(fill(&reader, 5) == (.wrote(1), "f...."))
    #expect(fill(&reader, 5) == (.finished, "....."))
  }

  @Test func `is idle only if it has written nothing`() {
    var reader = StreamReader(ScriptedStream([text("ab"), .idle, text("")]))
    #expect(fill(&reader, 5) == (.wrote(2), "ab..."))
    #expect(fill(&reader, 5) == (.idle, "....."))
  }

  @Test func `completes a begun chunk when it ends`() {
    var reader = StreamReader(ScriptedStream([text("abcd"), text("ef")]))
    #expect(fill(&reader, 2) == (.wrote(2), "ab"))
    #expect(fill(&reader, 5, isEnding: true) == (.wrote(2), "cd..."))
    #expect(fill(&reader, 5, isEnding: true) == (.finished, "....."))
  }
}

struct `A connection limit` {
  @Test func `admits more connections than it serves, to answer 503 to the rest`() {
    let limit = ConnectionLimit(wanted: 100, loops: 2)
    #expect(limit.served == 100)
    #expect(limit.admitted > 100)
  }

  @Test func `is bounded by the limit of open files, or by a share of that`() {
    let limit = ConnectionLimit(wanted: 1_000_000_000, loops: 2)
    #expect(limit.served < 1_000_000_000)
    let quarter = ConnectionLimit(wanted: 1_000_000_000, loops: 2, share: 0.25)
    #expect(quarter.admitted < limit.admitted / 4)
    #expect(quarter.admitted > limit.admitted / 4 - ConnectionLimit.reserve - 6)
    #expect(ConnectionLimit(wanted: 10, loops: 2, share: 0.25).served == 10)
  }
}
