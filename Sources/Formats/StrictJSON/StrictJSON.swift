package import UIFusionKit

/// A coder between JSON and `Codable` values, by RFC 8259 and stricter where the RFC leaves a choice.
///
/// Reading refuses everything that the type does not expect: duplicate and unknown members, numbers that do
/// not fit. Writing omits nothing: `nil` becomes `null`. The same value always gives the same bytes.
///
/// Some Foundation types, dictionaries and enums have special forms: see ``WireValue``, ``MemberNames`` and
/// ``EncodingBuffer/shortenCase(at:from:)``.
package enum StrictJSON {
  /// Decodes a stored value, like ``JSONValue/decode(_:)``.
  package static func decode<T: Decodable>(
    _ type: T.Type,
    from bytes: [UInt8]
  ) throws(JSONError) -> T {
    try JSONDocument(bytes).root.decode(type)
  }

  /// A text, with the data from which the next text can be made.
  package struct Written {
    package let text: StateText
    /// The long lists; nil if there is none.
    package let lists: WrittenLists?
    /// Whether the text is the same as for the store.
    package let isAsStored: Bool
  }

  /// Encodes a value as JSON.
  ///
  /// `capacity` is the expected length in bytes. `restart` is called before the value is encoded a second
  /// time; see ``encode(_:into:restart:)``.
  package static func encode<T: Encodable>(
    _ value: T,
    for audience: Audience = .store,
    capacity: Int = 256,
    restart: () -> Void = {}
  ) throws -> [UInt8] {
    var bytes: [UInt8] = []
    bytes.reserveCapacity(capacity)
    try encode(value, for: audience, into: &bytes, restart: restart)
    return bytes
  }

  /// Encodes a value as JSON, sharing unchanged pieces of long lists with an earlier text.
  ///
  /// The elements of a long `IdentifiedArray` are stored separately, in pieces that the earlier text may
  /// share. `last` is the `lists` of the previous value's result; without `isLong`, no lists are recorded.
  /// `notes` returns a number that changes when a type has a side effect while it is written: a list that
  /// changes it is never copied, so that the side effect occurs each time.
  package static func encode<T: Encodable>(
    _ value: T,
    for audience: Audience,
    after last: WrittenLists?,
    isLong: Bool = true,
    capacity: Int,
    restart: () -> Void,
    notes: @escaping () -> UInt64
  ) throws -> Written {
    var bytes: [UInt8] = []
    bytes.reserveCapacity(last.map { $0.frameCount + 8 } ?? capacity)
    let lists = last != nil || isLong ? ListCopier(last, notes: notes) : nil
    let writer = JSONWriter(taking: &bytes, for: audience, lists: lists)
    try writer.write(value, after: 0, restart: restart)
    writer.giveBack(&bytes)
    let apart = lists?.apart ?? []
    // Releases the room that the separate elements took.
    if !apart.isEmpty { bytes = bytes.withUnsafeBufferPointer { Array($0) } }
    return Written(
      text: StateText(bytes, lists: apart),
      lists: lists?.lists(in: bytes),
      isAsStored: writer.isAsStored
    )
  }

  /// Appends a value as JSON; if encoding throws, `bytes` is as before.
  ///
  /// A value is encoded a second time if its text cannot be written in one pass (see ``EncodingBuffer``).
  package static func encode<T: Encodable>(
    _ value: T,
    for audience: Audience = .store,
    into bytes: inout [UInt8],
    restart: () -> Void = {}
  ) throws {
    let count = bytes.count
    let writer = JSONWriter(taking: &bytes, for: audience)
    defer { writer.giveBack(&bytes) }
    do {
      try writer.write(value, after: count, restart: restart)
    } catch {
      writer.truncate(to: count)
      throw error
    }
  }

  /// Finds out how a type's values are written, before there are any.
  package static func prepare<T>(_ type: T.Type) { _ = TypeKinds.kind(of: type) }

  /// Returns whether a dictionary with these keys is written as an object.
  package static func haveNames<Key: Hashable>(_ keys: Key.Type) -> Bool {
    MemberNames<Key>() != nil
  }
}

extension JSONTree {
  /// Creates the tree of a value's written form.
  package init(
    encoding value: some Encodable,
    for audience: Audience = .store
  ) throws {
    try self.init(JSONDocument(StrictJSON.encode(value, for: audience)).root)
  }
}
