#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// The `Decoder` of one value in a document, which is also its single value container.
///
/// The decoder fits the three words of an existential, so passing one costs no allocation.
struct NodeDecoder: Decoder, SingleValueDecodingContainer {
  /// The origin of a value: it decides which older forms are accepted, and how errors name members.
  enum Reading: UInt8 {
    case stored
    /// The value comes from a client: forms that only stored values have are refused.
    case given
    /// The value is an Input or within one.
    case input
    /// The value stands for the `_0` of an Input's case, or is within such a value.
    case payload
  }

  /// The form in which the value is read.
  enum Form: UInt8 {
    case value
    /// The value is an enum, which may be in a shorthand.
    case cases
    /// The value is a string that names a case, decoded as the case's values, of which it has none.
    case noValues
  }

  let document: JSONDocument
  private let position: UInt32
  private let basePosition: UInt32
  let reading: Reading
  let form: Form

  init(_ document: JSONDocument, at index: Int, reading: Reading) {
    self.document = document
    position = UInt32(index)
    basePosition = position
    self.reading = reading
    form = reading == .input ? .cases : .value
  }

  private init(_ outer: NodeDecoder, at index: Int, reading: Reading, form: Form) {
    document = outer.document
    position = UInt32(index)
    basePosition = outer.basePosition
    self.reading = reading
    self.form = form
  }

  var index: Int { Int(position) }

  /// The index of the outermost decoded value, from which paths start.
  var base: Int { Int(basePosition) }

  var node: JSONNode { document.nodes[index] }

  /// Whether the value is a whole Input, not a value within one.
  var isInput: Bool { (reading == .input || reading == .payload) && position == basePosition }

  /// Returns the decoder of a value within this one.
  func inner(_ index: Int) -> NodeDecoder {
    NodeDecoder(self, at: index, reading: reading, form: .value)
  }

  /// Returns a decoder of the same value in another form.
  func read(as form: Form) -> NodeDecoder {
    NodeDecoder(self, at: index, reading: reading, form: form)
  }

  /// Returns a decoder of the same value with another origin.
  func read(as reading: Reading) -> NodeDecoder {
    NodeDecoder(self, at: index, reading: reading, form: .value)
  }

  var codingPath: [any CodingKey] { document.path(from: base, to: index) }

  var userInfo: [CodingUserInfoKey: Any] { [:] }

  func container<Key: CodingKey>(keyedBy type: Key.Type) throws -> KeyedDecodingContainer<Key> {
    KeyedDecodingContainer(try KeyedNodeDecoder<Key>(self))
  }

  func unkeyedContainer() throws -> any UnkeyedDecodingContainer {
    try UnkeyedNodeDecoder(self)
  }

  func singleValueContainer() throws -> any SingleValueDecodingContainer { self }

  /// Decodes the outermost value, turning every error into a ``JSONError``.
  func decodeRoot<T: Decodable>(_ type: T.Type) throws(JSONError) -> T {
    do {
      return try value(type)
    } catch let fault as DecodingFault {
      throw fault.error
    } catch {
      throw DecodingFault(self, .thrown(error)).error
    }
  }
}

extension NodeDecoder {
  func decodeNil() -> Bool { node.kind == .null }

  /// Decodes a value; adds the position to an error of the type's own `init(from:)`.
  func decode<T: Decodable>(_ type: T.Type) throws -> T {
    do {
      return try value(type)
    } catch let fault as DecodingFault {
      throw fault
    } catch {
      throw DecodingFault(self, .thrown(error))
    }
  }

  /// Decodes by the type's own `init(from:)`, unless the type has a special form.
  private func value<T: Decodable>(_ type: T.Type) throws -> T {
    if TypeKinds.arePlain(ObjectIdentifier(type)) { return try T(from: self) }
    return switch TypeKinds.kind(of: type) {
    case .plain, .list, .storedOnly, .deriving, .unordered: try T(from: self)
    case .value: try wireValue(type)
    case .dictionary: try dictionary(type)
    case .enumeration: try enumeration(type)
    }
  }

  /// Decodes an enum, which may be in a shorthand.
  private func enumeration<T: Decodable>(_ type: T.Type) throws -> T {
    let decoder = read(as: .cases)
    do {
      return try T(from: decoder)
    } catch let fault as DecodingFault {
      throw fault
    } catch {
      throw DecodingFault(decoder, .thrown(error))
    }
  }

  func decode(_ type: Bool.Type) throws -> Bool {
    guard node.kind == .bool else { throw mismatch("true or false") }
    return node.flag
  }

  func decode(_ type: String.Type) throws -> String {
    guard node.kind == .string else { throw mismatch("a string") }
    return document.text(of: index)
  }

  func decode(_ type: Double.Type) throws -> Double { try floatingPoint() }
  func decode(_ type: Float.Type) throws -> Float { try floatingPoint() }
  func decode(_ type: Int.Type) throws -> Int { try integer() }
  func decode(_ type: Int8.Type) throws -> Int8 { try integer() }
  func decode(_ type: Int16.Type) throws -> Int16 { try integer() }
  func decode(_ type: Int32.Type) throws -> Int32 { try integer() }
  func decode(_ type: Int64.Type) throws -> Int64 { try integer() }
  func decode(_ type: Int128.Type) throws -> Int128 { try integer() }
  func decode(_ type: UInt.Type) throws -> UInt { try integer() }
  func decode(_ type: UInt8.Type) throws -> UInt8 { try integer() }
  func decode(_ type: UInt16.Type) throws -> UInt16 { try integer() }
  func decode(_ type: UInt32.Type) throws -> UInt32 { try integer() }
  func decode(_ type: UInt64.Type) throws -> UInt64 { try integer() }
  func decode(_ type: UInt128.Type) throws -> UInt128 { try integer() }

  private func integer<I: FixedWidthInteger>() throws -> I {
    guard node.kind == .number else { throw mismatch("an integer") }
    switch IntegerReading<I>(document.bytes[node.textRange]) {
    case .integer(let value): return value
    case .outOfRange: throw DecodingFault(self, .outOfRange("\(I.self)"))
    case .fractional: throw mismatch("an integer")
    }
  }

  /// Decodes the nearest value; throws beyond the largest finite one (RFC 8259 section 6).
  private func floatingPoint<F: LosslessStringConvertible & BinaryFloatingPoint>() throws -> F {
    guard node.kind == .number else { throw mismatch("a number") }
    guard let value = F(document.text(of: index)), value.isFinite else {
      throw DecodingFault(self, .outOfRange("\(F.self)"))
    }
    return value
  }

  func mismatch(_ expected: String) -> DecodingFault {
    DecodingFault(self, .mismatch(expected: expected))
  }
}

extension NodeDecoder {
  /// Calls a function with the index of each member's name, in order.
  func forEachName(_ body: (Int) throws -> Void) rethrows {
    var name = index + 1
    let end = Int(node.link)
    while name < end {
      try body(name)
      name = document.indexAfter(name + 1)
    }
  }

  /// Returns the index of the first name without a key; nil if each has one.
  ///
  /// Swift compares strings by canonical equivalence, JSON names by their code units (RFC 8259 section 8.3).
  /// A name that is only canonically equal would pass here and never be found; and two such names would
  /// become one key of a `Dictionary`.
  func firstName<Key: CodingKey>(unknownTo type: Key.Type) -> Int? {
    var equivalents: Set<String> = []
    var name = index + 1
    let end = Int(node.link)
    while name < end {
      let text = document.text(of: name)
      guard let key = Key(stringValue: text) else { return name }
      if !document.nodes[name].flag {
        guard key.stringValue.utf8.elementsEqual(text.utf8), equivalents.insert(text).inserted
        else {
          return name
        }
      }
      name = document.indexAfter(name + 1)
    }
    return nil
  }

  /// Returns whether the value, a string, equals a key's name by its code units.
  func isName<Key: CodingKey>(of type: Key.Type) -> Bool {
    let text = document.text(of: index)
    guard let key = Key(stringValue: text) else { return false }
    return node.flag || key.stringValue.utf8.elementsEqual(text.utf8)
  }

  /// Whether the value holds a case's values by their labels.
  ///
  /// Cheaper than ``standsForUnlabelledValue(besides:)``, which asks the key type.
  var isInFull: Bool {
    node.kind == .object && document.member("_0", of: index) != nil
  }

  /// Returns whether the value stands for a case's `_0`: the 10 in `{"setDuration":10}`.
  ///
  /// Call only if ``isInFull`` is false. A value stands for `_0` if the case has an unlabelled value,
  /// unless the value is an object whose members are all named like the case's other values.
  func standsForUnlabelledValue<Key: CodingKey>(besides type: Key.Type) -> Bool {
    guard Key(stringValue: "_0") != nil else { return false }
    return node.kind != .object || node.count == 0 || firstName(unknownTo: type) != nil
  }
}

/// A dictionary that is read from an object.
private protocol DecodableDictionary: Decodable {
  /// Reads an object; returns nil for any other value, and if the keys have no names.
  static func read(_ decoder: NodeDecoder) throws -> Self?
}

extension Dictionary: DecodableDictionary where Key: Decodable, Value: Decodable {
  static func read(_ decoder: NodeDecoder) throws -> Self? {
    guard decoder.node.kind == .object, let names = MemberNames<Key>() else { return nil }
    var members = Self(minimumCapacity: Int(decoder.node.count))
    try decoder.forEachName { name in
      guard let key = names.key(decoder.document.text(of: name)) else {
        throw DecodingFault(decoder, .invalidName(name, expected: names.expected))
      }
      let value = try decoder.inner(name + 1).decode(Value.self)
      guard members.updateValue(value, forKey: key) == nil else {
        throw DecodingFault(decoder, .repeated(name: name))
      }
    }
    return members
  }
}

extension NodeDecoder {
  /// Decodes a dictionary; of stored values also from an array in which keys and values alternate.
  func dictionary<T: Decodable>(_ type: T.Type) throws -> T {
    guard let dictionary = type as? any DecodableDictionary.Type else { return try T(from: self) }
    if let value = try dictionary.read(self) as? T { return value }
    guard reading == .stored, node.kind == .array else { throw mismatch("an object") }
    return try T(from: self)
  }
}

extension NodeDecoder {
  /// Checks the value for a type that must not decode just any; nil needs no check.
  ///
  /// - Throws: the mismatch.
  func check(_ form: CheckedForm?) throws {
    let value = JSONValue(document: document, index: index)
    switch form {
    case .characterSet where !isCharacterSet(value):
      throw mismatch("a set of characters as its bitmap")
    case .indexSet where !isIndexSet(value): throw mismatch("ranges of indexes from 0")
    case .urlComponents where !isURLComponents(value):
      throw mismatch("components of a URL with a valid scheme and port")
    default: break
    }
  }

  /// Returns whether there are 8,192 bytes for the first plane of Unicode, and as many after the number of each
  /// further one.
  private func isCharacterSet(_ value: JSONValue) -> Bool {
    let size = 8192
    guard let text = value["bitmap"]?.string, let bitmap = Data(base64Encoded: text),
      bitmap.count >= size, (bitmap.count - size) % (size + 1) == 0
    else { return false }
    let planes = stride(from: size, to: bitmap.count, by: size + 1).map {
      bitmap[bitmap.startIndex + $0]
    }
    return planes.allSatisfy { (1...16).contains($0) } && Set(planes).count == planes.count
  }

  private func isIndexSet(_ value: JSONValue) -> Bool {
    guard let ranges = value["indexes"], ranges.kind == .array else { return false }
    return ranges.elements.allSatisfy { range in
      guard let location = range["location"].flatMap(integer),
        let length = range["length"].flatMap(integer), location >= 0, length >= 0
      else { return false }
      // The greatest integer stands for "not found".
      let (end, isTooLarge) = location.addingReportingOverflow(length)
      return !isTooLarge && end < Int.max
    }
  }

  /// Returns whether the scheme is one by RFC 3986 section 3.1, and the port is not negative.
  private func isURLComponents(_ value: JSONValue) -> Bool {
    if let scheme = value["scheme"]?.string {
      guard let first = scheme.utf8.first, isLetter(first),
        scheme.utf8.allSatisfy({ isLetter($0) || isDigit($0) || "+-.".utf8.contains($0) })
      else { return false }
    }
    guard let port = value["port"], port.kind == .number else { return true }
    return integer(port).map { $0 >= 0 } ?? false
  }

  private func integer(_ value: JSONValue) -> Int? { try? value.decode(Int.self) }

  private func isLetter(_ byte: UInt8) -> Bool {
    (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte | 0x20)
  }

  private func isDigit(_ byte: UInt8) -> Bool {
    (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte)
  }
}
