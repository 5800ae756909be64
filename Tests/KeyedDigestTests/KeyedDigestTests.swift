import FusionKeyedDigest
import Testing

struct `A keyed digest` {
  /// The examples of RFC 4231 §4.2 to §4.8, except for the truncated one.
  @Test(arguments: [
    Example(
      secret: bytes(0x0b, 20),
      text: Array("Hi There".utf8),
      digest: "b0344c61d8db38535ca8afceaf0bf12b881dc200c9833da726e9376c2e32cff7"
    ),
    Example(
      secret: Array("Jefe".utf8),
      text: Array("what do ya want for nothing?".utf8),
      digest: "5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843"
    ),
    Example(
      secret: bytes(0xaa, 20),
      text: bytes(0xdd, 50),
      digest: "773ea91e36800e46854db8ebd09181a72959098b3ef8c122d9635514ced565fe"
    ),
    Example(
      secret: Array(1...25),
      text: bytes(0xcd, 50),
      digest: "82558a389a443c0ea4cc819899f2083a85f0faa3e578f8077a2e3ff46729665b"
    ),
    Example(
      secret: bytes(0xaa, 131),
      text: Array("Test Using Larger Than Block-Size Key - Hash Key First".utf8),
      digest: "60e431591ee0b67f0d8a26aacbf5b77f8e0bc6213728c5140546040f0ee37f54"
    ),
    Example(
      secret: bytes(0xaa, 131),
      text: Array(
        ("This is a test using a larger than block-size key and a larger than block-size data. "
          + "The key needs to be hashed before being used by the HMAC algorithm.").utf8
      ),
      digest: "9b09ffa71b942fcb27635fbcd5b0e944bfdc63644f0713938a7f51535c3a35e2"
    ),
  ])
  func `equals the examples of RFC 4231`(example: Example) {
    let digest = KeyedDigest(secret: example.secret)
    #expect(hex(digest.digest(of: example.text)) == example.digest)
  }

  /// The digests that `openssl dgst -sha256 -hmac` prints.
  @Test func `of no bytes with an empty secret equals openssl's`() {
    let digest = KeyedDigest(secret: [])
    #expect(
      hex(digest.digest(of: []))
        == "b613679a0814d9ec772f95d778c35fc5ff1697c493715653c6c712144292c5ad"
    )
  }

  @Test func `does not depend on earlier digests`() {
    let digest = KeyedDigest(secret: Array("Jefe".utf8))
    let first = digest.digest(of: bytes(0xdd, 50))
    _ = digest.digest(of: bytes(0xcd, 200))
    #expect(digest.digest(of: bytes(0xdd, 50)) == first)
  }

  @Test func `depends on the secret`() {
    let text = Array("\"increase\"".utf8)
    let digests = [[], [0x01], Array(0..<32)].map { KeyedDigest(secret: $0).digest(of: text) }
    #expect(Set(digests).count == 3)
  }

  @Test func `is compared byte by byte`() {
    let digest = KeyedDigest.hash([1])
    #expect(KeyedDigest.areEqual(digest, KeyedDigest.hash([1])))
    for place in digest.indices {
      var other = digest
      other[place] ^= 1
      #expect(!KeyedDigest.areEqual(digest, other) && !KeyedDigest.areEqual(other, digest))
    }
    #expect(!KeyedDigest.areEqual(digest, Array(digest.dropLast())))
    #expect(KeyedDigest.areEqual([], []))
  }

  struct Example: Sendable {
    let secret: [UInt8]
    let text: [UInt8]
    let digest: String
  }

  private func hex(_ bytes: [UInt8]) -> String {
    bytes.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
  }
}

private func bytes(_ byte: UInt8, _ count: Int) -> [UInt8] {
  Array(repeating: byte, count: count)
}
