@_spi(Reflection) import Swift
import Synchronization

/// Which bits of a type's values say all there is of them: two values in which these are the same are the
/// same value, as long as both are there.
///
/// That holds for numbers, and for strings and collections, whose storage does not change while somebody else
/// has it. It does not for an object or a pointer: a type that holds one has no layout, and neither has one of
/// which that is not known. An enum cannot be looked into, but one that is smaller than a pointer holds none.
struct BitLayout {
  /// Elements of a list that are the same as some of another.
  struct Run {
    var range: Range<Int>
    /// Where they begin in the other list.
    let old: Int
  }

  /// One for each eight bytes of a value; what lies between its properties is left out.
  private var masks: [UInt64]

  // A property of a property, and so on; also what ends a type that holds a list of itself.
  private static let maximalDepth = 8

  private static let known = Mutex<[ObjectIdentifier: BitLayout?]>([:])

  /// Nil where bits do not say all, or are not known to.
  static func of<T>(_ type: T.Type) -> BitLayout? {
    let id = ObjectIdentifier(type)
    if let known = known.withLock({ $0[id] }) { return known }
    let layout = BitLayout(of: type)
    known.withLock { $0[id] = layout }
    return layout
  }

  private init?<T>(of type: T.Type) {
    guard MemoryLayout<T>.stride % 8 == 0 else { return nil }
    masks = Array(repeating: 0, count: MemoryLayout<T>.stride / 8)
    guard cover(type, at: 0, depth: 0) else { return nil }
  }

  // MARK: Comparing

  /// The elements of a list that are the same in an older one: those at both ends, and in between those that
  /// have kept their index.
  func runs(of new: UnsafeRawBufferPointer, in old: UnsafeRawBufferPointer) -> [Run] {
    let (count, oldCount) = (new.count / (masks.count * 8), old.count / (masks.count * 8))
    let limit = min(count, oldCount)
    var (head, tail) = (0, 0)
    while head < limit, areSame(new, head, old, head) { head += 1 }
    while tail < limit - head, areSame(new, count - 1 - tail, old, oldCount - 1 - tail) {
      tail += 1
    }
    var runs = [Run(range: 0..<head, old: 0)]
    for index in head..<min(count - tail, oldCount) where areSame(new, index, old, index) {
      let last = runs.count - 1
      if runs[last].range.upperBound == index {
        runs[last].range = runs[last].range.lowerBound..<index + 1
      } else {
        runs.append(Run(range: index..<index + 1, old: index))
      }
    }
    runs.append(Run(range: count - tail..<count, old: oldCount - tail))
    return runs.filter { !$0.range.isEmpty }
  }

  @inline(__always)
  private func areSame(
    _ one: UnsafeRawBufferPointer,
    _ index: Int,
    _ other: UnsafeRawBufferPointer,
    _ otherIndex: Int
  ) -> Bool {
    var (place, otherPlace) = (index * masks.count * 8, otherIndex * masks.count * 8)
    for mask in masks {
      // Guard: a value has as many words as there are masks, and lies on its stride.
      let word = one.loadUnaligned(fromByteOffset: place, as: UInt64.self)
      let otherWord = other.loadUnaligned(fromByteOffset: otherPlace, as: UInt64.self)
      guard (word ^ otherWord) & mask == 0 else { return false }
      place += 8
      otherPlace += 8
    }
    return true
  }

  // MARK: Asking the type

  private mutating func add(_ type: Any.Type, at offset: Int, depth: Int) -> Bool {
    func cover<T>(_ type: T.Type) -> Bool { self.cover(type, at: offset, depth: depth) }
    return _openExistential(type, do: cover)
  }

  private mutating func cover<T>(_ type: T.Type, at offset: Int, depth: Int) -> Bool {
    guard depth < Self.maximalDepth else { return false }
    if let type = type as? any SharedStorage.Type {
      // What is behind it is looked at for its kind alone.
      for inner in type.contents {
        guard BitLayout.saysAll(inner, depth: depth + 1) else { return false }
      }
      cover(offset..<offset + MemoryLayout<T>.size)
      return true
    }
    if isNumber(type) || isSmall(type) {
      cover(offset..<offset + MemoryLayout<T>.size)
      return true
    }
    // Of a struct of C's, not all that it holds need be told as a property: bit fields are not.
    guard !EnumCases.isEnum(type), !_typeName(type).hasPrefix("__C.") else { return false }
    var (isKnown, hasProperties) = (true, false)
    let isStruct = unsafe _forEachField(of: type) { _, start, type, _ in
      hasProperties = true
      isKnown = isKnown && add(type, at: offset + start, depth: depth + 1)
      return isKnown
    }
    return isStruct && hasProperties && isKnown
  }

  private func isNumber<T>(_ type: T.Type) -> Bool {
    _isPOD(type) && (type is any FixedWidthInteger.Type || type is any BinaryFloatingPoint.Type)
  }

  /// A property whose type is not known at run time is told as `()`, which has no size.
  private func isSmall<T>(_ type: T.Type) -> Bool {
    _isPOD(type) && (1..<MemoryLayout<UnsafeRawPointer>.size).contains(MemoryLayout<T>.size)
  }

  private static func saysAll(_ type: Any.Type, depth: Int) -> Bool {
    func saysAll<T>(_ type: T.Type) -> Bool {
      var layout = BitLayout(masks: Array(repeating: 0, count: MemoryLayout<T>.stride / 8 + 1))
      return layout.cover(type, at: 0, depth: depth)
    }
    return _openExistential(type, do: saysAll)
  }

  private init(masks: [UInt64]) {
    self.masks = masks
  }

  private mutating func cover(_ range: Range<Int>) {
    for byte in range { masks[byte / 8] |= 0xFF << (UInt64(byte % 8) * 8) }
  }
}

/// A type whose values share what they refer to, and copy it before they change it.
private protocol SharedStorage {
  static var contents: [Any.Type] { get }
}

extension String: SharedStorage {
  static var contents: [Any.Type] { [] }
}

extension Array: SharedStorage {
  static var contents: [Any.Type] { [Element.self] }
}

extension Set: SharedStorage {
  static var contents: [Any.Type] { [Element.self] }
}

extension Dictionary: SharedStorage {
  static var contents: [Any.Type] { [Key.self, Value.self] }
}

extension Optional: SharedStorage {
  static var contents: [Any.Type] { [Wrapped.self] }
}
