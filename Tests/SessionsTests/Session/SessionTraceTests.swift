import Testing
import UIFusionKit

@testable import FusionSessions

struct `A session's trace` {
  private let time = WallTime(milliseconds: 0)

  private func event(_ line: String) -> SessionTraceEvent.Kind {
    .note(.event(Array(line.utf8), effect: nil), version: 1)
  }

  @Test func `names the Input that caused an action, except one from before a sleep`() {
    let trace = SessionTrace(began: time)
    let (input, action) = (event(#"{"input":"load"}"#), event(#"{"action":"load"}"#))
    trace.add([input, action, .asleep, action], time)
    let causes = (0..<4).map { trace.event(after: $0)?.event.cause }
    #expect(causes == [nil, 1, nil, nil])
  }
}
