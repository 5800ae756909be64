/// The first message of a TLS client (RFC 5246 §7.4.1.2), which any server of TLS 1.2 answers with its
/// own: so much of TLS needs no library.
struct ClientHello {
  /// In its record, ready to be sent.
  let bytes: [UInt8]

  init() {
    let extensions =
      Self.field(0x000a, list16([0x0017, 0x001d]))
      + Self.field(0x000b, [1, 0])
      + Self.field(
        0x000d,
        list16([0x0403, 0x0503, 0x0603, 0x0804, 0x0805, 0x0401, 0x0501, 0x0807])
      )
    let hello: [UInt8] =
      [3, 3] + (0..<32).map { _ in UInt8.random(in: .min ... .max) }
      + [0] + list16([0xc02b, 0xc02c, 0xcca9, 0xc02f, 0xc030, 0xcca8]) + [1, 0]
      + word(extensions.count) + extensions
    let message = [1, 0] + word(hello.count) + hello
    bytes = [22, 3, 1] + word(message.count) + message
  }

  /// Whether an answer begins as a server's handshake does.
  static func isAnswered(by bytes: [UInt8]) -> Bool {
    bytes.starts(with: [22, 3])
  }

  private static func field(_ type: Int, _ content: [UInt8]) -> [UInt8] {
    word(type) + word(content.count) + content
  }
}

private func word(_ number: Int) -> [UInt8] {
  [UInt8(truncatingIfNeeded: number >> 8), UInt8(truncatingIfNeeded: number)]
}

private func list16(_ numbers: [Int]) -> [UInt8] {
  word(numbers.count * 2) + numbers.flatMap(word)
}
