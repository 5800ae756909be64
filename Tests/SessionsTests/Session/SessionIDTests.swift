import FusionSessions
import Testing

struct `A session's id` {
  private struct Counting: RandomNumberGenerator {
    var values: [UInt64]
    mutating func next() -> UInt64 { values.removeFirst() }
  }

  @Test(arguments: [
    (0, 0, "AAAAAAAAAAAAAAAAAAAAAA"),
    (UInt64.max, UInt64.max, "_____________________w"),
    (0x0001_0203_0405_0607, 0x0809_0a0b_0c0d_0e0f, "AAECAwQFBgcICQoLDA0ODw"),
  ])
  func `is 128 bits in base64url`(high: UInt64, low: UInt64, text: String) {
    let id = SessionID(high: high, low: low)
    #expect(id.description == text)
    #expect(SessionID(text) == id)
  }

  @Test func `survives encoding and decoding`() {
    var generator = SystemRandomNumberGenerator()
    for _ in 0..<1_000 {
      let id = SessionID.random(using: &generator)
      #expect(SessionID(id.description) == id)
    }
  }

  @Test(arguments: [
    "", "A", "AAAAAAAAAAAAAAAAAAAAA", "AAAAAAAAAAAAAAAAAAAAAAA", "AAAAAAAAAAAAAAAAAAAAAB",
    "AAAAAAAAAAAAAAAAAAAAA=", "AAAAAAAAAA/AAAAAAAAAAA", "AAAAAAAAAAAAAAAAAAAé",
  ])
  func `has only one spelling`(text: String) {
    #expect(SessionID(text) == nil)
  }

  @Test func `is shortened in a log until it is useless`() {
    var generator = Counting(values: [1, 2])
    let id = SessionID.random(using: &generator)
    #expect(id == SessionID(high: 1, low: 2))
    #expect(id.redacted == "AAAAAA…")
  }
}
