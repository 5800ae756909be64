/// SHA-256 (FIPS 180-4), so that two bodies can be told apart without keeping either.
///
/// Nobody knows two texts of equal digest, nor how to find them: a body that has a known digest is the
/// known body. A digest of 64 bits could be forged by a client with an afternoon to spare, and those of
/// Swift's `Hasher` do not survive the process.
package struct SHA256: Hashable, Sendable {
  private var a: UInt32 = 0x6a09_e667
  private var b: UInt32 = 0xbb67_ae85
  private var c: UInt32 = 0x3c6e_f372
  private var d: UInt32 = 0xa54f_f53a
  private var e: UInt32 = 0x510e_527f
  private var f: UInt32 = 0x9b05_688c
  private var g: UInt32 = 0x1f83_d9ab
  private var h: UInt32 = 0x5be0_cd19

  package init(_ message: [UInt8]) {
    let whole = message.count / 64 * 64
    for start in stride(from: 0, to: whole, by: 64) {
      take(message.span.extracting(start..<start + 64))
    }
    // A one, zeros, and the message's length in bits fill the last block (§5.1.1).
    var end = Array(message[whole...])
    end.append(0x80)
    while end.count % 64 != 56 { end.append(0) }
    let length = UInt64(message.count) * 8
    for shift in stride(from: 56, through: 0, by: -8) {
      end.append(UInt8(truncatingIfNeeded: length >> shift))
    }
    for start in stride(from: 0, to: end.count, by: 64) {
      take(end.span.extracting(start..<start + 64))
    }
  }

  /// The digest's bytes, first to last.
  package var bytes: [UInt8] {
    [a, b, c, d, e, f, g, h].flatMap { word in
      [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: word >> $0) }
    }
  }

  /// §6.2.2.
  private mutating func take(_ block: Span<UInt8>) {
    var schedule = InlineArray<64, UInt32>(repeating: 0)
    for index in 0..<16 {
      for place in 0..<4 {
        schedule[index] = schedule[index] << 8 | UInt32(block[index * 4 + place])
      }
    }
    for index in 16..<64 {
      let (x, y) = (schedule[index - 15], schedule[index - 2])
      let low = rotated(x, 7) ^ rotated(x, 18) ^ x >> 3
      let high = rotated(y, 17) ^ rotated(y, 19) ^ y >> 10
      schedule[index] = schedule[index - 16] &+ low &+ schedule[index - 7] &+ high
    }
    var next = self
    for index in 0..<64 { next.mix(schedule[index] &+ constants[index]) }
    a &+= next.a
    b &+= next.b
    c &+= next.c
    d &+= next.d
    e &+= next.e
    f &+= next.f
    g &+= next.g
    h &+= next.h
  }

  private mutating func mix(_ word: UInt32) {
    let choice = (e & f) ^ (~e & g)
    let majority = (a & b) ^ (a & c) ^ (b & c)
    let first = h &+ (rotated(e, 6) ^ rotated(e, 11) ^ rotated(e, 25)) &+ choice &+ word
    let second = (rotated(a, 2) ^ rotated(a, 13) ^ rotated(a, 22)) &+ majority
    (h, g, f, e) = (g, f, e, d &+ first)
    (d, c, b, a) = (c, b, a, first &+ second)
  }
}

private func rotated(_ word: UInt32, _ count: UInt32) -> UInt32 {
  word >> count | word << (32 - count)
}

/// §4.2.2.
private let constants: InlineArray<64, UInt32> = [
  0x428a_2f98, 0x7137_4491, 0xb5c0_fbcf, 0xe9b5_dba5, 0x3956_c25b, 0x59f1_11f1, 0x923f_82a4,
  0xab1c_5ed5, 0xd807_aa98, 0x1283_5b01, 0x2431_85be, 0x550c_7dc3, 0x72be_5d74, 0x80de_b1fe,
  0x9bdc_06a7, 0xc19b_f174, 0xe49b_69c1, 0xefbe_4786, 0x0fc1_9dc6, 0x240c_a1cc, 0x2de9_2c6f,
  0x4a74_84aa, 0x5cb0_a9dc, 0x76f9_88da, 0x983e_5152, 0xa831_c66d, 0xb003_27c8, 0xbf59_7fc7,
  0xc6e0_0bf3, 0xd5a7_9147, 0x06ca_6351, 0x1429_2967, 0x27b7_0a85, 0x2e1b_2138, 0x4d2c_6dfc,
  0x5338_0d13, 0x650a_7354, 0x766a_0abb, 0x81c2_c92e, 0x9272_2c85, 0xa2bf_e8a1, 0xa81a_664b,
  0xc24b_8b70, 0xc76c_51a3, 0xd192_e819, 0xd699_0624, 0xf40e_3585, 0x106a_a070, 0x19a4_c116,
  0x1e37_6c08, 0x2748_774c, 0x34b0_bcb5, 0x391c_0cb3, 0x4ed8_aa4a, 0x5b9c_ca4f, 0x682e_6ff3,
  0x748f_82ee, 0x78a5_636f, 0x84c8_7814, 0x8cc7_0208, 0x90be_fffa, 0xa450_6ceb, 0xbef9_a3f7,
  0xc671_78f2,
]
