#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif

/// A comparison of two equal values, part by part.
///
/// For `==`, a text is equal to another of the same characters in other scalars, 0.0 is equal to -0.0, and a
/// type may leave members out. They are written differently, and what is written is what counts.
package struct PartComparison {
  /// The depth at which parts are not inspected any more; it also ends a mirror that contains itself.
  private static let depthLimit = 64

  /// The pairs of objects that are compared already.
  private var seen: Set<[ObjectIdentifier]> = []

  /// Returns whether two values are the same in all parts; nil if that cannot be told.
  ///
  /// Parts that are not equal, although the values are, count as unknown: the type leaves them out of `==`.
  package static func areSame<Value>(_ one: Value, _ other: Value) -> Bool? {
    if haveSameBits(one, other) { return true }
    var comparison = PartComparison()
    return comparison.compare(one, other, depth: 0)
  }

  /// Returns whether two values differ, or are equal and have parts that are written differently.
  package static func differ<Value: Equatable>(_ one: Value, _ other: Value) -> Bool {
    one != other || areSame(one, other) == false
  }

  /// Returns whether two values have the same bits: then they are the same, since shared storage is copied
  /// before it changes.
  static func haveSameBits<Value>(_ one: Value, _ other: Value) -> Bool {
    withUnsafeBytes(of: one) { one in
      withUnsafeBytes(of: other) { other in
        // Guard: both have the size of their type.
        guard let one = one.baseAddress, let other = other.baseAddress else { return true }
        return memcmp(one, other, MemoryLayout<Value>.size) == 0
      }
    }
  }

  private mutating func compare(_ one: Any, _ other: Any, depth: Int) -> Bool? {
    func compareOpened<Part>(_ one: Part) -> Bool? {
      guard let other = other as? Part else { return nil }
      return Self.haveSameBits(one, other) ? true : compareParts(of: one, other, depth)
    }
    return depth > Self.depthLimit ? nil : _openExistential(one, do: compareOpened)
  }

  private mutating func compareParts<Part>(of one: Part, _ other: Part, _ depth: Int) -> Bool? {
    switch (one, other) {
    // Numbers with the same bits do not come here.
    case (let one as Double, let other as Double): return one == other ? false : nil
    case (let one as Float, let other as Float): return one == other ? false : nil
    case (let one as String, let other as String): return compare(one, other)
    case (let one as Character, let other as Character): return compare(String(one), String(other))
    case (let one as Substring, let other as Substring): return compare(String(one), String(other))
    case (let one as any HidingValue, let other as any HidingValue):
      return compare(one.hiddenValue, other.hiddenValue, depth: depth + 1)
    default: break
    }
    if type(of: one) is AnyClass, !isNew(one as AnyObject, other as AnyObject) { return true }
    guard let pairs = pairs(of: one, other) else { return nil }
    var areSame: Bool? = true
    for (one, other) in pairs {
      switch compare(one, other, depth: depth + 1) {
      case true?: break
      case false?: return false
      case nil: areSame = nil
      }
    }
    return areSame
  }

  private func compare(_ one: String, _ other: String) -> Bool? {
    one.hasSameBytes(as: other) ? true : one == other ? false : nil
  }

  private mutating func isNew(_ one: AnyObject, _ other: AnyObject) -> Bool {
    seen.insert([ObjectIdentifier(one), ObjectIdentifier(other)]).inserted
  }

  /// Returns the parts of two values, each with its counterpart; nil if they cannot be matched.
  private func pairs(of one: Any, _ other: Any) -> [(Any, Any)]? {
    let (mirror, otherMirror) = (Mirror(reflecting: one), Mirror(reflecting: other))
    guard mirror.children.count == otherMirror.children.count else { return nil }
    switch mirror.displayStyle {
    case .dictionary?:
      guard let one = one as? [AnyHashable: Any], let other = other as? [AnyHashable: Any] else {
        return nil
      }
      var pairs: [(Any, Any)] = []
      for (key, value) in one {
        guard let index = other.index(forKey: key) else { return nil }
        pairs += [(key.base, other.keys[index].base), (value, other.values[index])]
      }
      return pairs
    case .set?:
      guard let one = one as? Set<AnyHashable>, let other = other as? Set<AnyHashable> else {
        return nil
      }
      let pairs = one.compactMap { part in
        other.firstIndex(of: part).map { (part.base, other[$0].base) as (Any, Any) }
      }
      return pairs.count == one.count ? pairs : nil
    case .collection?, .optional?: break
    // The parts of a superclass, and of a value without a part, are not known.
    default: if mirror.children.isEmpty || mirror.superclassMirror != nil { return nil }
    }
    guard mirror.children.map(\.label) == otherMirror.children.map(\.label) else { return nil }
    return zip(mirror.children, otherMirror.children).map { ($0.value, $1.value) }
  }
}

/// A wrapper that does not show its value to a mirror.
protocol HidingValue {
  var hiddenValue: Any { get }
}

extension Private: HidingValue {
  var hiddenValue: Any { wrappedValue }
}

extension Redacted: HidingValue {
  var hiddenValue: Any { wrappedValue }
}

extension Secret: HidingValue {
  var hiddenValue: Any { wrappedValue }
}
