import Testing
import UIFusionKit
import UIFusionTesting

struct `An effect's error` {
  private let recorder = Recorder<Lab>()
  private var clock: TestClock { recorder.clock }

  private enum Trouble: Error { case small, big }

  @Test func `is passed to handleError once, with its code, domain and description`() async throws {
    recorder.start(.run { _ in throw Trouble.big })
    await clock.idle()
    let note = try #require(recorder.notes.first)
    #expect(recorder.notes.count == 1)
    #expect(note.hasPrefix("failed: big 1 "))
    #expect(note.hasSuffix("Trouble"))
    #expect(recorder.progress.last == "it settled")
  }

  @Test func `keeps the code, domain and description that a SendableError was made with`() async {
    recorder.start(
      .runAction { throw SendableError(description: "no", code: 404, domain: "http") }
    )
    await clock.idle()
    #expect(recorder.notes == ["failed: no 404 http"])
  }

  @Test func `is not reported for a cancellation`() async {
    recorder.start(.run { _ in throw CancellationError() })
    recorder.start(recorder.say("a", after: .seconds(1), id: "x"))
    recorder.start(.cancel(id: "x"))
    await clock.advance(by: .seconds(1))
    #expect(recorder.notes == [])
  }

  @Test func `ends only its own part of a merge`() async {
    recorder.start(
      .merge(
        .run { _ in throw SendableError(description: "no", code: 1, domain: "d") },
        .action(.note("next"))
      )
    )
    await clock.idle()
    #expect(recorder.notes == ["failed: no 1 d", "next"])
  }

  @Test(arguments: [EffectPolicy.replace, .keep, .queue(limit: 1)])
  func `can be handled by retrying under the same id`(policy: EffectPolicy) async {
    let again = Lab.Effect.runAction(id: "x", policy: policy) { .note("second try") }
    let recorder = Recorder<Lab>(answering: .start("", [again]))
    recorder.start(
      .run(id: "x") { _ in throw SendableError(description: "no", code: 1, domain: "d") }
    )
    await recorder.clock.idle()
    #expect(recorder.notes == ["failed: no 1 d", "second try"])
    #expect(recorder.progress.last == "it settled")
  }
}
