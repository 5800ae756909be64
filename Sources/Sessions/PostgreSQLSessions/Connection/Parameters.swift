import CFusionPostgreSQL
import FusionSessions

/// The values of a statement's `$1`, `$2` …, in PostgreSQL's binary format.
struct Parameters {
  private var bytes: [UInt8] = []
  private var places: [Range<Int>] = []
  /// The object ids of their types.
  private(set) var types: [Oid] = []

  init<each Value: ParameterValue>(_ values: repeat each Value) {
    repeat add(each values)
  }

  mutating func add<Value: ParameterValue>(_ value: Value) {
    let start = bytes.count
    value.write(to: &bytes)
    add(Value.type, from: start)
  }

  /// Adds an array with a value of each item; nil is NULL.
  mutating func addEach<Item, Value: ParameterValue>(_ items: [Item], _ value: (Item) -> Value?) {
    let start = bytes.count
    let (dimensions, mayHaveNull, lowest) = (Int32(1), Int32(1), Int32(1))
    for number in [dimensions, mayHaveNull, Int32(bitPattern: Value.type)] {
      bytes.append(bigEndian: number)
    }
    bytes.append(bigEndian: Int32(clamping: items.count))
    bytes.append(bigEndian: lowest)
    for item in items {
      let place = bytes.count
      bytes.append(bigEndian: Int32(-1))
      guard let value = value(item) else { continue }
      value.write(to: &bytes)
      let count = Int32(clamping: bytes.count - place - 4)
      for index in 0..<4 {
        bytes[place + index] = UInt8(truncatingIfNeeded: count >> (24 - 8 * index))
      }
    }
    add(Value.arrayType, from: start)
  }

  mutating func addEach<Value: ParameterValue>(_ values: [Value]) {
    addEach(values) { $0 }
  }

  private mutating func add(_ type: Oid, from start: Int) {
    places.append(start..<bytes.count)
    types.append(type)
  }

  /// Calls a function with the values as libpq takes them.
  func send(
    _ body: (
      _ values: [UnsafePointer<CChar>?], _ lengths: [Int32], _ formats: [Int32]
    ) -> Int32
  ) -> Int32 {
    let lengths = places.map { Int32(clamping: $0.count) }
    let binary = [Int32](repeating: 1, count: places.count)
    return unsafe bytes.withUnsafeBytes { bytes in
      let values = unsafe places.map { place in
        unsafe bytes.baseAddress.map {
          unsafe ($0 + place.lowerBound).assumingMemoryBound(to: CChar.self)
        }
      }
      return unsafe body(values, lengths, binary)
    }
  }
}

/// A value with a PostgreSQL type; `src/include/catalog/pg_type.dat` lists the object ids.
protocol ParameterValue {
  static var type: Oid { get }
  static var arrayType: Oid { get }
  func write(to bytes: inout [UInt8])
}

extension Int64: ParameterValue {
  static var type: Oid { 20 }
  static var arrayType: Oid { 1016 }
  func write(to bytes: inout [UInt8]) { bytes.append(bigEndian: self) }
}

extension Int: ParameterValue {
  static var type: Oid { Int64.type }
  static var arrayType: Oid { Int64.arrayType }
  func write(to bytes: inout [UInt8]) { bytes.append(bigEndian: Int64(self)) }
}

extension Int32: ParameterValue {
  static var type: Oid { 23 }
  static var arrayType: Oid { 1007 }
  func write(to bytes: inout [UInt8]) { bytes.append(bigEndian: self) }
}

extension Bool: ParameterValue {
  static var type: Oid { 16 }
  static var arrayType: Oid { 1000 }
  func write(to bytes: inout [UInt8]) { bytes.append(self ? 1 : 0) }
}

extension String: ParameterValue {
  static var type: Oid { 25 }
  static var arrayType: Oid { 1009 }
  func write(to bytes: inout [UInt8]) { bytes += utf8 }
}

extension [UInt8]: ParameterValue {
  static var type: Oid { 17 }
  static var arrayType: Oid { 1001 }
  func write(to bytes: inout [UInt8]) { bytes += self }
}

/// A duration is sent as seconds in `double precision`.
extension Duration: ParameterValue {
  static var type: Oid { 701 }
  static var arrayType: Oid { 1022 }
  func write(to bytes: inout [UInt8]) {
    bytes.append(bigEndian: Int64(bitPattern: (self / .seconds(1)).bitPattern))
  }
}

extension WallTime: ParameterValue {
  static var type: Oid { 1184 }
  static var arrayType: Oid { 1185 }

  /// PostgreSQL's epoch, 2000-01-01, in milliseconds since 1970.
  private static let epoch: Int64 = 946_684_800_000

  func write(to bytes: inout [UInt8]) {
    bytes.append(bigEndian: (milliseconds - Self.epoch) &* 1_000)
  }

  init(microsecondsOfPostgreSQL microseconds: Int64) {
    self.init(milliseconds: microseconds / 1_000 + Self.epoch)
  }
}

extension SessionID: ParameterValue {
  static var type: Oid { [UInt8].type }
  static var arrayType: Oid { [UInt8].arrayType }

  func write(to bytes: inout [UInt8]) {
    bytes.append(bigEndian: high)
    bytes.append(bigEndian: low)
  }
}

extension [UInt8] {
  fileprivate mutating func append(bigEndian number: some FixedWidthInteger) {
    unsafe Swift.withUnsafeBytes(of: number.bigEndian) { unsafe append(contentsOf: $0) }
  }
}
