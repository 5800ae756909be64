import FusionGzip
import FusionInflater
import Testing

struct `A part of a gzip stream` {
  /// Returns JSON of the given number of objects, each slightly different.
  private func text(_ count: Int) -> [UInt8] {
    Array((0..<count).map { #"{"id":\#($0 * 7919),"title":"a note"}"# }.joined(separator: ",").utf8)
  }

  private func noise(_ count: Int, _ seed: UInt64) -> [UInt8] {
    var random = Random(state: seed)
    return (0..<count).map { _ in .random(in: .min ... .max, using: &random) }
  }

  @Test func `can be read as soon as it is complete`() throws {
    let inflater = try Inflater()
    #expect(try inflater.read(GzipStream.header) == [])
    var sum = GzipSum()
    for count in [1, 3, 40, 500, 3_000] {
      var part = GzipPart(stored: "id: 7\n".utf8)
      if let deflated = DeflatedText(compressing: text(count)) {
        part.append(deflated)
      } else {
        part.append(stored: text(count))
      }
      part.append(stored: "\n\n".utf8)
      #expect(try inflater.read(part.bytes) == Array("id: 7\n".utf8) + text(count) + [10, 10])
      #expect(!inflater.isAtEnd)
      sum.append(part.sum)
    }
    #expect(try inflater.read(GzipStream.ending(sum)) == [])
    #expect(inflater.isAtEnd)
  }

  @Test(arguments: [0, 1, 65_535, 65_536, 65_537, 200_000])
  func `stores a text of any size unchanged`(count: Int) throws {
    let text = noise(count, 1)
    let part = GzipPart(stored: text)
    #expect(part.bytes.count == count + (count + 65_534) / 65_535 * 5)
    let inflater = try Inflater()
    let stream = GzipStream.header + part.bytes + GzipStream.ending(part.sum)
    #expect(try inflater.read(stream) == text)
    #expect(inflater.isAtEnd)
  }

  @Test(arguments: [0, 1, 100, 255, 100_000])
  func `is not compressed if that saves too little`(count: Int) {
    #expect(DeflatedText(compressing: noise(count, 2)) == nil)
    let short = [UInt8](repeating: 0x61, count: min(count, DeflatedText.leastText - 1))
    #expect(DeflatedText(compressing: short) == nil)
  }

  @Test func `does not depend on earlier parts, and is much smaller than its text`() throws {
    let one = try #require(DeflatedText(compressing: text(1_000)))
    #expect(DeflatedText(compressing: text(1_000)) == one)
    #expect(one.bytes.count < text(1_000).count / 3)
    #expect(DeflatedText(bytes: one.bytes, sum: GzipSum(rawValue: one.sum.rawValue)) == one)
    // A second copy of the part does not refer to the first.
    var part = GzipPart()
    part.append(one)
    part.append(one)
    #expect(part.bytes == one.bytes + one.bytes)
    #expect(part.sum == GzipSum(of: text(1_000) + text(1_000)))
  }

  @Test func `is refused with another stream's checksum`() throws {
    let part = GzipPart(stored: text(3))
    let inflater = try Inflater()
    _ = try inflater.read(GzipStream.header + part.bytes)
    #expect(throws: Inflater.Fault.self) {
      try inflater.read(GzipStream.ending(GzipSum(of: text(2))))
    }
  }

  @Test(arguments: 0..<100 as Range<UInt64>)
  func `restores the text of any sequence of parts`(seed: UInt64) throws {
    var random = Random(state: seed)
    let inflater = try Inflater()
    var (sum, whole) = (GzipSum(), [UInt8]())
    _ = try inflater.read(GzipStream.header)
    for _ in 0..<Int.random(in: 0...12, using: &random) {
      let count = Int.random(in: 0...(1 << Int.random(in: 0...16, using: &random)), using: &random)
      let piece =
        Bool.random(using: &random)
        ? noise(count, random.next()) : Array(text(count / 20 + 1).prefix(count))
      var part = GzipPart()
      if let deflated = DeflatedText(compressing: piece) {
        #expect(deflated.bytes.count + DeflatedText.leastSaving < piece.count)
        part.append(deflated)
      } else {
        part.append(stored: piece)
      }
      #expect(try inflater.read(part.bytes) == piece)
      sum.append(part.sum)
      whole += piece
    }
    #expect(sum == GzipSum(of: whole))
    #expect(try inflater.read(GzipStream.ending(sum)) == [] && inflater.isAtEnd)
  }
}

/// SplitMix64.
private struct Random: RandomNumberGenerator {
  var state: UInt64

  mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var word = state
    word = (word ^ (word >> 30)) &* 0xBF58_476D_1CE4_E5B9
    word = (word ^ (word >> 27)) &* 0x94D0_49BB_1331_11EB
    return word ^ (word >> 31)
  }
}
