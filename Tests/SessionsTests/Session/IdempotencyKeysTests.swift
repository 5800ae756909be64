import Testing
import UIFusionKit
import UIFusionTesting

@testable import FusionSessions

struct `Idempotency keys` {
  private var keys = IdempotencyKeys()
  private let first: SubmittedInputs
  private let second: SubmittedInputs

  init() throws {
    let host = SessionHost([.counting], dependencies: TestClock().dependencies)
    let session = try #require(try host.creator.create(.counting))
    func inputs() throws -> SubmittedInputs {
      let log = try #require(session.instance?.log)
      return SubmittedInputs(session, log, nil, nil, nil, .full, nil)
    }
    (first, second) = (try inputs(), try inputs())
  }

  private mutating func claim(
    _ key: String,
    _ digest: [UInt8] = [1],
    by inputs: SubmittedInputs? = nil,
    at seconds: Int = 0
  ) -> String {
    let key = RequestKey(key, digest: digest)
    switch keys.claim(key, for: inputs ?? first, now: .seconds(seconds)) {
    case .first(let processed): return "first \(processed)"
    case .running(let inputs): return inputs === first ? "running" : "another runs"
    case .complete(let progress): return "complete \(progress.version)"
    case .mismatch: return "mismatch"
    }
  }

  private mutating func advance(
    _ key: String,
    to processed: Int = 1,
    of count: Int = 1,
    at: Int = 0
  ) {
    let progress = KeyProgress(
      key: key,
      digest: [1],
      answer: .full,
      processed: processed,
      count: count,
      version: 7,
      time: WallTime(milliseconds: 0)
    )
    keys.advance(progress, by: first, now: .seconds(at))
  }

  private mutating func complete(_ key: String, at seconds: Int = 0) {
    advance(key, at: seconds)
    keys.finish(key, by: first)
  }

  // MARK: Messages

  private mutating func claim(
    message number: Int64,
    of sender: String = "a",
    by inputs: SubmittedInputs? = nil
  ) -> String {
    claim(KeyProgress.messageMark + sender, KeyProgress.digest(of: number), by: inputs)
  }

  private mutating func advance(
    message number: Int64,
    of sender: String = "a",
    version: Int? = nil,
    processed: Int = 1,
    outOf count: Int = 1,
    by inputs: SubmittedInputs
  ) {
    let key = KeyProgress.messageMark + sender
    let progress = KeyProgress(
      key: key,
      digest: KeyProgress.digest(of: number),
      answer: .minimal,
      processed: processed,
      count: count,
      version: version ?? Int(number),
      time: WallTime(milliseconds: 0)
    )
    keys.advance(progress, by: inputs, now: .zero)
  }

  @Test mutating func `of messages are complete up to the last message's number, forever`() {
    #expect(claim(message: 5) == "first 0")
    #expect(claim(message: 5, by: second) == "running")
    advance(message: 5, by: first)
    #expect(claim(message: 5) == "running")
    #expect(claim(message: 4) == "complete 5")
    // The next message does not wait for the work that the previous one has started.
    #expect(claim(message: 300, by: second) == "first 0")
    #expect(claim(message: 5) == "running")
    keys.finish(KeyProgress.messageMark + "a", by: first)
    #expect(claim(message: 5) == "complete 5")
    advance(message: 300, by: second)
    keys.finish(KeyProgress.messageMark + "a", by: second)
    for number in 0..<1_100 {
      _ = claim("\(number)")
      complete("\(number)")
    }
    #expect(claim(message: 299) == "complete 300")
    #expect(claim(message: 301) == "first 0")
  }

  @Test mutating func `of an interrupted message let it continue`() {
    let key = KeyProgress.messageMark + "a"
    _ = claim(message: 5)
    advance(message: 5, processed: 1, outOf: 3, by: first)
    #expect(claim(message: 5) == "running")
    keys.finish(key, by: first)
    #expect(claim(message: 5) == "first 1")
    advance(message: 5, processed: 3, outOf: 3, by: first)
    keys.finish(key, by: first)
    #expect(claim(message: 5) == "complete 5")
    #expect(claim(message: 6) == "first 0")
  }

  @Test mutating func `of a refused message keep the previous message known`() {
    _ = claim(message: 5)
    advance(message: 5, by: first)
    keys.finish(KeyProgress.messageMark + "a", by: first)
    #expect(claim(message: 6) == "first 0")
    keys.finish(KeyProgress.messageMark + "a", by: first)
    #expect(claim(message: 5) == "complete 5")
    #expect(claim(message: 6) == "first 0")
  }

  @Test mutating func `of the last 10,000 senders are known, even after a restart`() {
    let stored = (0..<10_000).map { number in
      KeyProgress(
        key: KeyProgress.messageMark + "\(number)",
        digest: KeyProgress.digest(of: 5),
        answer: .minimal,
        processed: 1,
        count: 1,
        version: number,
        time: WallTime(milliseconds: 0)
      )
    }
    keys = IdempotencyKeys(stored, WallClock(TestClock().dependencies))
    for number in 10_000..<11_001 {
      _ = claim(message: 5, of: "\(number)")
      advance(message: 5, of: "\(number)", version: number, by: first)
      keys.finish(KeyProgress.messageMark + "\(number)", by: first)
    }
    #expect(keys.count == 10_001)
  }

  @Test mutating func `of older senders than the last 10,000 are forgotten`() {
    for number in 0..<11_001 {
      _ = claim(message: 5, of: "\(number)")
      advance(message: 5, of: "\(number)", version: number, by: first)
      keys.finish(KeyProgress.messageMark + "\(number)", by: first)
    }
    #expect(keys.count == 10_001)
    #expect(claim(message: 5, of: "1000") == "complete 1000")
    #expect(claim(message: 5, of: "999") == "first 0")
  }

  @Test mutating func `are claimed once, then joined, then complete`() {
    #expect(claim("a") == "first 0")
    #expect(claim("a", by: second) == "running")
    #expect(claim("a", [2]) == "mismatch")
    advance("a")
    #expect(claim("a") == "running")
    keys.finish("a", by: first)
    #expect(claim("a") == "complete 7")
    #expect(claim("a", [2]) == "mismatch")
  }

  @Test mutating func `are free again if no Input was processed`() {
    #expect(claim("a") == "first 0")
    keys.finish("a", by: first)
    #expect(claim("a", [2]) == "first 0")
  }

  @Test mutating func `continue after the processed Inputs`() {
    _ = claim("a")
    advance("a", to: 1, of: 3)
    advance("a", to: 2, of: 3)
    keys.finish("a", by: first)
    #expect(claim("a", by: second) == "first 2")
    #expect(claim("a") == "another runs")
  }

  @Test mutating func `are advanced and finished only by the request that claimed them`() {
    #expect(claim("a", by: second) == "first 0")
    advance("a")
    keys.finish("a", by: first)
    #expect(claim("a") == "another runs")
  }

  @Test mutating func `that are imported without a digest accept any body`() {
    let imported = KeyProgress(
      key: "a",
      digest: [],
      answer: .full,
      processed: 1,
      count: 1,
      version: 5,
      time: WallTime(milliseconds: 0)
    )
    keys = IdempotencyKeys([imported], WallClock(TestClock().dependencies))
    #expect(keys.count == 1)
    #expect(claim("a", [9], at: -3 * 365 * 24 * 3600) == "complete 5")
  }

  @Test mutating func `are forgotten one by one beyond a thousand, except those in progress`() {
    _ = claim("working")
    for number in 0..<2_000 {
      _ = claim("\(number)")
      complete("\(number)")
    }
    #expect(keys.count == 1_001)
    #expect(claim("999") == "first 0")
    #expect(claim("1000") == "complete 7")
    #expect(claim("working") == "running")
  }

  @Test mutating func `are forgotten after a day, except those in progress`() {
    _ = (claim("working"), claim("a"), claim("b"))
    complete("a")
    complete("b", at: 1)
    let day = 24 * 3600
    #expect(claim("a", at: day - 1) == "complete 7")
    #expect(claim("a", at: day) == "first 0")
    #expect(claim("b", at: day) == "complete 7")
    #expect(claim("working", at: 9 * day) == "running")
  }
}
