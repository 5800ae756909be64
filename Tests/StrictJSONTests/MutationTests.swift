import FusionStrictJSON
import Testing

/// A generator with the same numbers in every run (SplitMix64).
private struct SeededGenerator: RandomNumberGenerator {
  var state: UInt64

  mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var mixed = (state ^ state >> 30) &* 0xBF58_476D_1CE4_E5B9
    mixed = (mixed ^ mixed >> 27) &* 0x94D0_49BB_1331_11EB
    return mixed ^ mixed >> 31
  }
}

struct `Mutated documents` {
  static let documents = [
    #"{"version":7,"state":{"value":3,"isReset":false,"name":"Adaé😀","list":[1,2.5,-3e2,null]}}"#,
    #"[{"a\n\u00e9\ud83d\ude00":"\"\\\/"},[[[]]],{},"",0,-0.5E-3,true,false,null]"#,
    #"{"several":{"title":"t","done":true}}"#, #""increase""#, #"{"setDuration":{"_0":10}}"#,
    #"{"item":{"id":"a","count":3}}"#, #" { "k0" : 0 , "k1" : [ 1 , 2 ] , "k2" : "x" } "#,
    "{" + (0..<20).map { "\"n\($0)\":\($0)" }.joined(separator: ",") + "}",
  ]

  static let pieces = [
    "\"", "\\", "{", "}", "[", "]", ",", ":", "0", "-", ".", "e", "\\u", "\\ud800", "_0", "null",
    "\u{0}", " ", "é", "[[[[", "]]]]", "{\"a\":", "1e400", "\u{FEFF}",
  ]

  @Test(arguments: randomSeeds)
  func `never crash the parser, and valid ones survive encoding and decoding`(seed: Int) throws {
    var generator = SeededGenerator(state: UInt64(seed))
    var parsed = 0
    for _ in 0..<1500 {
      let bytes = Self.mutation(using: &generator)
      _ = try? JSONDocument(bytes).root.decodeInput(Sample.self)
      _ = try? StrictJSON.decode(Todos.self, from: bytes)
      do {
        let value = try StrictJSON.decode(AnyJSON.self, from: bytes)
        let written = try StrictJSON.encode(value)
        #expect(try StrictJSON.decode(AnyJSON.self, from: written) == value)
        #expect(try StrictJSON.encode(value) == written)
        parsed += 1
      } catch let error as JSONError {
        #expect((0...bytes.count).contains(error.offset) && !error.reason.isEmpty)
      }
    }
    #expect(parsed > 50)
  }

  private static func mutation(using generator: inout SeededGenerator) -> [UInt8] {
    var bytes = Array((documents.randomElement(using: &generator) ?? "").utf8)
    for _ in 0..<Int.random(in: 1...3, using: &generator) {
      let index = Int.random(in: 0...bytes.count, using: &generator)
      let end = min(bytes.count, index + Int.random(in: 0...4, using: &generator))
      switch Int.random(in: 0..<5, using: &generator) {
      case 0 where index < bytes.count: bytes[index] = .random(in: 0...255, using: &generator)
      case 1: bytes.removeSubrange(index..<end)
      case 2: bytes.insert(contentsOf: bytes[index..<end], at: index)
      case 3: bytes.removeSubrange(index...)
      default:
        bytes.insert(contentsOf: (pieces.randomElement(using: &generator) ?? "").utf8, at: index)
      }
    }
    return bytes
  }
}
