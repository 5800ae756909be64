import Synchronization

/// Types that were found to be no dictionaries: to ask a value costs more than to write a small one.
///
/// A type has one place, and a later one may take it: it is then asked again.
enum UnsortedTypes {
  private static let count = 256
  private static let places = (0..<count).map { _ in Place() }

  private final class Place: Sendable {
    let type = Atomic<UInt>(0)
  }

  static func contain(_ type: ObjectIdentifier) -> Bool {
    place(of: type).type.load(ordering: .relaxed) == UInt(bitPattern: type)
  }

  static func insert(_ type: ObjectIdentifier) {
    place(of: type).type.store(UInt(bitPattern: type), ordering: .relaxed)
  }

  /// Types lie 16 bytes apart at the least.
  private static func place(of type: ObjectIdentifier) -> Place {
    places[Int(bitPattern: UInt(bitPattern: type) >> 4) & (count - 1)]
  }
}
