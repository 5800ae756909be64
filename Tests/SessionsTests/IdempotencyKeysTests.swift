import Sessions
import Testing

struct `Idempotency keys` {
  private final class Request {}

  private var keys = IdempotencyKeys()
  private let request = Request()
  private var owner: ObjectIdentifier { ObjectIdentifier(request) }

  private let receipt = Receipt(
    .settled,
    Snapshot(version: 7, state: Array("{}".utf8)),
    preferences: ""
  )

  private mutating func claim(_ key: String, _ body: [UInt8] = [], at seconds: Int = 0) -> String {
    switch keys.claim(
      key,
      for: SHA256(body).bytes,
      by: owner,
      now: .seconds(seconds),
      waiter: { _ in }
    ) {
    case .first: "first"
    case .waiting: "waiting"
    case .answered(let receipt): "answered \(receipt.version)"
    case .mismatch: "mismatch"
    }
  }

  @Test mutating func `are claimed once, then waited for, then answered`() {
    #expect(claim("a") == "first")
    #expect(claim("a") == "waiting")
    #expect(claim("a", [1]) == "mismatch")
    #expect(claim("b") == "first")
    #expect(keys.bind("a", to: receipt, by: owner, now: .zero).count == 1)
    #expect(claim("a") == "answered 7")
    #expect(claim("a", [1]) == "mismatch")
    #expect(keys.bind("a", to: receipt, by: owner, now: .zero).isEmpty)
  }

  @Test mutating func `that are freed can be claimed anew, bound or not`() {
    _ = (claim("a"), claim("a"), claim("b"))
    #expect(keys.free("a", by: owner).count == 1)
    #expect(keys.free("a", by: owner).isEmpty)
    #expect(claim("a", [1]) == "first")
    _ = keys.bind("b", to: receipt, by: owner, now: .zero)
    #expect(keys.free("b", by: owner).isEmpty)
    #expect(claim("b") == "first")
  }

  @Test mutating func `are bound and freed by who claimed them`() {
    let other = Request()
    #expect(claim("a") == "first")
    #expect(claim("a") == "waiting")
    #expect(keys.bind("a", to: receipt, by: ObjectIdentifier(other), now: .zero).isEmpty)
    #expect(keys.free("a", by: ObjectIdentifier(other)).isEmpty)
    #expect(claim("a") == "waiting")
    withExtendedLifetime(other) {}
  }

  @Test mutating func `are forgotten one by one past a thousand, those at work never`() {
    _ = claim("working")
    for number in 0..<2_000 {
      _ = claim("\(number)")
      _ = keys.bind("\(number)", to: receipt, by: owner, now: .zero)
    }
    #expect(keys.count == 1_001)
    #expect(claim("999") == "first")
    #expect(claim("1000") == "answered 7")
    #expect(claim("working") == "waiting")
  }

  @Test mutating func `are forgotten after a day, those at work never`() {
    _ = (claim("working"), claim("a"), claim("b"))
    _ = keys.bind("a", to: receipt, by: owner, now: .zero)
    _ = keys.bind("b", to: receipt, by: owner, now: .seconds(1))
    let day = 24 * 3600
    #expect(claim("a", at: day - 1) == "answered 7")
    #expect(claim("a", at: day) == "first")
    #expect(claim("b", at: day) == "answered 7")
    #expect(claim("working", at: 9 * day) == "waiting")
  }
}
