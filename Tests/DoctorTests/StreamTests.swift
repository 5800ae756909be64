import Testing

@testable import FusionDoctor

struct `The stream check` {
  private func observed(
    _ change: (inout StreamObservation) -> Void = { _ in }
  ) throws -> StreamObservation {
    var observed = StreamObservation()
    observed.head = try head(
      "HTTP/1.1 200 OK",
      "Content-Type: text/event-stream",
      "Cache-Control: no-store, no-transform"
    )
    observed.firstEvent = .milliseconds(20)
    observed.delays = [.milliseconds(1), .milliseconds(2), .milliseconds(900)]
    observed.silence = .heartbeat
    change(&observed)
    return observed
  }

  private func judge(
    _ proxy: ProxyKind = .nginx,
    _ change: (inout StreamObservation) -> Void = { _ in }
  ) throws -> [Finding] {
    StreamCheck.judge(try observed(change), heartbeat: 15).map { $0.resolved(for: proxy) }
  }

  @Test func `passes a prompt stream with heartbeats`() throws {
    #expect(try judge().isGreen)
  }

  @Test func `reports buffering if events or heartbeats do not arrive`() throws {
    for change: (inout StreamObservation) -> Void in [
      { $0.firstEvent = nil }, { $0.missing = 1 }, { $0.silence = .nothing(within: 18) },
      {
        $0.firstEvent = nil
        $0.head = nil
      },
    ] {
      let fault = try #require(try judge(.nginx, change).fault)
      #expect(fault.level == .failure)
      #expect(fault.text.hasSuffix("something on the way buffers"))
      #expect(fault.advises("proxy_buffering off;"))
    }
  }

  @Test func `reports an answer that is no stream`() throws {
    let fault = try #require(
      try judge {
        $0.firstEvent = nil
        $0.head = try? head("HTTP/1.1 503 No")
      }.fault
    )
    #expect(fault.text == "the stream is answered 503")
  }

  @Test func `warns of delays from small packets that are held back`() throws {
    let fault = try #require(
      try judge(.unknown) { $0.delays = Array(repeating: .milliseconds(208), count: 5) }.fault
    )
    #expect(fault.level == .warning)
    #expect(fault.text.contains("208 ms"))
    #expect(fault.advises("option http-no-delay"))
  }

  @Test(arguments: [
    (ProxyKind.nginx, ["proxy_read_timeout 60s;"]), (.apache, ["ProxyTimeout 60"]),
    (.unknown, ["proxy_read_timeout 60s;", "timeout server 60s", "ProxyTimeout 60"]),
  ])
  func `reports an idle timeout below the heartbeat`(proxy: ProxyKind, directives: [String]) throws
  {
    let fault = try #require(try judge(proxy) { $0.silence = .cut(after: 9.96) }.fault)
    #expect(fault.text == "idle time-out below the heartbeat of 15 s: cut after 10.0 s")
    for directive in directives { #expect(fault.advises(directive)) }
  }

  @Test func `reports a Cache-Control that is lost on the way`() throws {
    let fault = try #require(
      try judge {
        $0.head = try? head("HTTP/1.1 200 OK", "Content-Type: text/event-stream")
      }.fault
    )
    #expect(fault.text.contains("Cache-Control none"))
  }

  @Test func `skips delays and heartbeats that were not measured`() throws {
    for silence in [StreamObservation.Silence.notWaited, .never] {
      let findings = try judge {
        $0.silence = silence
        $0.delays = []
      }
      #expect(findings.count { $0.level == .skipped } == 2)
      #expect(findings.fault == nil)
    }
  }

  @Test func `judges a resumed stream by its first event`() {
    func judge(_ item: EventParser.Item?, changed: Int? = 8) -> Finding.Level {
      StreamCheck.judgeResumed(item, known: 7, changed: changed).level
    }
    #expect(judge(.event(name: "state", version: 8)) == .ok)
    #expect(judge(.event(name: "state", version: 7)) == .failure)
    #expect(judge(nil) == .failure)
    #expect(judge(nil, changed: 7) == .skipped)
    #expect(judge(nil, changed: nil) == .skipped)
  }

  @Test func `reports a compressed stream that loses events`() throws {
    func judge(_ observed: StreamObservation) -> Finding.Level {
      CompressionCheck.judgeStream(observed).level
    }
    #expect(judge(try observed()) == .ok)
    #expect(judge(try observed { $0.firstEvent = nil }) == .failure)
    #expect(judge(try observed { $0.missing = 1 }) == .failure)
  }
}
