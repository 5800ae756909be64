import Synchronization

/// The bits that identify a type's values: while two values live, equal bits mean the same value.
///
/// This holds for numbers, and for strings and collections, which copy shared storage before changing it. A
/// type that may hold an object or a pointer has no layout. An enum's payloads cannot be inspected, but an
/// enum that is smaller than a pointer holds no reference.
struct BitLayout {
  /// Elements of a list that an older list contains, too.
  struct Run {
    var range: Range<Int>
    /// The index of the run's first element in the older list.
    let old: Int
  }

  /// A mask for each eight bytes of a value, which omits the padding between properties.
  private var masks: [UInt64]

  /// The maximum nesting of properties; it also ends the recursion for a type with a list of itself.
  private static let maximalDepth = 8

  private static let known = Mutex<[ObjectIdentifier: BitLayout?]>([:])

  /// Returns a type's layout; nil if bits may not identify its values.
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

  /// Returns the elements that an older list contains, too: at both ends, and in between at equal indices.
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
      // Guard: a value has as many words as there are masks, and `index` is within the list.
      let word = one.loadUnaligned(fromByteOffset: place, as: UInt64.self)
      let otherWord = other.loadUnaligned(fromByteOffset: otherPlace, as: UInt64.self)
      guard (word ^ otherWord) & mask == 0 else { return false }
      place += 8
      otherPlace += 8
    }
    return true
  }

  // MARK: Inspecting types

  private mutating func add(_ type: Any.Type, at offset: Int, depth: Int) -> Bool {
    func cover<T>(_ type: T.Type) -> Bool { self.cover(type, at: offset, depth: depth) }
    return _openExistential(type, do: cover)
  }

  private mutating func cover<T>(_ type: T.Type, at offset: Int, depth: Int) -> Bool {
    guard depth < Self.maximalDepth else { return false }
    if let type = type as? any SharedStorage.Type {
      // The contents are stored elsewhere: only their types matter.
      for inner in type.contents {
        guard BitLayout.identifies(inner, depth: depth + 1) else { return false }
      }
      cover(offset..<offset + MemoryLayout<T>.size)
      return true
    }
    if isNumber(type) || isSmall(type) {
      cover(offset..<offset + MemoryLayout<T>.size)
      return true
    }
    // Reflection omits some fields of a C struct: bit fields.
    guard !EnumCases.isEnum(type), !_typeName(type).hasPrefix("__C."),
      let properties = StoredProperties(of: type), !properties.all.isEmpty
    else { return false }
    return properties.all.allSatisfy { property in
      add(property.type, at: offset + property.offset, depth: depth + 1)
    }
  }

  private func isNumber<T>(_ type: T.Type) -> Bool {
    _isPOD(type) && (type is any FixedWidthInteger.Type || type is any BinaryFloatingPoint.Type)
  }

  /// Returns whether values are too small for a reference.
  ///
  /// Reflection reports a property whose type is not known at run time as `()`, which has no size.
  private func isSmall<T>(_ type: T.Type) -> Bool {
    _isPOD(type) && (1..<MemoryLayout<UnsafeRawPointer>.size).contains(MemoryLayout<T>.size)
  }

  private static func identifies(_ type: Any.Type, depth: Int) -> Bool {
    func identifies<T>(_ type: T.Type) -> Bool {
      var layout = BitLayout(masks: Array(repeating: 0, count: MemoryLayout<T>.stride / 8 + 1))
      return layout.cover(type, at: 0, depth: depth)
    }
    return _openExistential(type, do: identifies)
  }

  private init(masks: [UInt64]) {
    self.masks = masks
  }

  private mutating func cover(_ range: Range<Int>) {
    for byte in range { masks[byte / 8] |= 0xFF << (UInt64(byte % 8) * 8) }
  }
}

/// A type whose values copy shared storage before they change it.
protocol SharedStorage {
  /// The types of the values in the storage.
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
