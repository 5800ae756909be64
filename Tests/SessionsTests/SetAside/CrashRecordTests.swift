import FusionSessions
import Testing

struct `A record of crashes` {
  private let session = SessionID(high: 1, low: 2)

  private func record(
    _ crashes: (seconds: Int, build: String)...,
    within: Duration = .seconds(3_600)
  ) -> CrashRecord? {
    crashes.reduce(nil) { record, crash in
      let time = WallTime(milliseconds: Int64(crash.seconds) * 1_000)
      return .adding(SessionCrash(session, at: time, of: crash.build, within: within), to: record)
    }
  }

  @Test func `leaves a session alone that has crashed once`() {
    #expect(record((0, "a"))?.setsAside("a") == false)
  }

  @Test(arguments: [(1, true), (3_600, true), (3_601, false), (-3_600, true), (-3_601, false)])
  func `sets a session aside that crashes twice within the time`(_ pause: Int, _ isAside: Bool) {
    #expect(record((10_000, "a"), (10_000 + pause, "a"))?.setsAside("a") == isAside)
  }

  @Test func `counts each crash from the last one`() {
    #expect(record((0, "a"), (5_000, "a"), (8_000, "a"))?.setsAside("a") == true)
  }

  @Test func `counts a crash once that is reported twice`() {
    #expect(record((7, "a"), (7, "a"))?.setsAside("a") == false)
  }

  @Test func `lets each other build try once`() {
    let aside = record((0, "a"), (1, "a"))
    #expect(aside?.setsAside("a") == true)
    #expect(aside?.setsAside("b") == false)
    let tried = record((0, "a"), (1, "a"), (90_000, "b"))
    #expect(tried?.setsAside("b") == true)
    #expect(tried?.setsAside("c") == false)
  }

  @Test func `sets nothing aside within no time`() {
    #expect(record((0, "a"), (0, "a"), (1, "a"), within: .zero)?.setsAside("a") == false)
  }

  @Test(arguments: [Int64.min, .max]) func `takes any times`(_ time: Int64) {
    let first = SessionCrash(
      session,
      at: WallTime(milliseconds: -time.signum()),
      of: "a",
      within: .seconds(1)
    )
    var second = first
    second.time = WallTime(milliseconds: time)
    let record = CrashRecord.adding(second, to: .adding(first, to: nil))
    #expect(!record.setsAside("a"))
  }
}
