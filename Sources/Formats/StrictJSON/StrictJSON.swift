/// Bytes to values and back, by RFC 8259 and stricter where that leaves a choice.
///
/// Some types of Foundation, dictionaries and enums have forms of their own: `WireValue`, `MemberNames` and
/// `EncodingBuffer.shortenCase` say which.
///
/// Reading takes nothing that it does not understand: no duplicate and no unknown member, no number
/// that does not fit. Writing hides nothing: `nil` becomes `null`, and the same value always gives
/// the same bytes (a `Set`'s order apart).
package enum StrictJSON {
  package static func decode<T: Decodable>(
    _ type: T.Type,
    from bytes: [UInt8]
  ) throws(JSONError) -> T {
    try JSONDocument(bytes).root.decode(type)
  }

  package static func decode<T: Decodable>(
    _ type: T.Type,
    from bytes: UnsafeBufferPointer<UInt8>
  ) throws(JSONError) -> T {
    // Guard: the document copies; no pointer is kept.
    try JSONDocument(bytes).root.decode(type)
  }

  /// Decodes one Input, as `JSONValue.decodeInput` does.
  package static func decodeInput<T: Decodable>(
    _ type: T.Type,
    from bytes: [UInt8]
  ) throws(JSONError) -> T {
    try JSONDocument(bytes).root.decodeInput(type)
  }

  /// The value as JSON.
  ///
  /// `capacity` is how many bytes the text is likely to have, so that the array need not grow in steps.
  /// `restart` is called where the value is asked a second time: see below.
  package static func encode<T: Encodable>(
    _ value: T,
    capacity: Int = 256,
    restart: () -> Void = {}
  ) throws -> [UInt8] {
    var bytes: [UInt8] = []
    bytes.reserveCapacity(capacity)
    try encode(value, into: &bytes, restart: restart)
    return bytes
  }

  /// The value as JSON, and what of it may be copied into the text of the next one.
  ///
  /// `last` is what this has given for the value before. `notes` is what types note as they are written:
  /// where it changes, they are to be asked each time.
  package static func encode<T: Encodable>(
    _ value: T,
    after last: WrittenLists?,
    capacity: Int,
    restart: () -> Void,
    notes: @escaping () -> UInt64
  ) throws -> (text: [UInt8], lists: WrittenLists?) {
    var bytes: [UInt8] = []
    bytes.reserveCapacity(capacity)
    let writer = JSONWriter(taking: &bytes, lists: ListMemory(last, notes: notes))
    try writer.write(value, after: 0, restart: restart)
    writer.giveBack(&bytes)
    return (bytes, writer.draft.lists?.lists(in: bytes))
  }

  /// Appends the value to `bytes`; if it throws, `bytes` is as before.
  ///
  /// A type whose `encode(to:)` goes back to a container that it had left for another is asked a
  /// second time, since its text cannot be written in one go (see `JSONWriter`).
  package static func encode<T: Encodable>(
    _ value: T,
    into bytes: inout [UInt8],
    restart: () -> Void = {}
  ) throws {
    let count = bytes.count
    let writer = JSONWriter(taking: &bytes)
    defer { writer.giveBack(&bytes) }
    do {
      try writer.write(value, after: count, restart: restart)
    } catch {
      writer.truncate(to: count)
      throw error
    }
  }

  /// Appends the number as JSON.
  package static func append(_ number: Int, to bytes: inout [UInt8]) {
    bytes.appendInteger(number)
  }

  /// Appends the text as a JSON string, quotation marks included (RFC 8259 section 7).
  package static func append(_ text: String, to bytes: inout [UInt8]) {
    bytes.appendLiteral(text)
  }
}
