/// The cases of an enum, read from its metadata.
///
/// Two numbers are read, of cases with and without payloads, from a layout that is part of Swift's
/// stable ABI: `TargetEnumDescriptor` of swift/ABI/Metadata.h. No name, offset or mangled type is
/// followed, so no read can run out of bounds.
package enum EnumCases {
  /// Returns every value in the order of declaration; nil unless the type is an enum without payloads.
  package static func all<T>(of type: T.Type) -> [T]? {
    guard let descriptor = unsafe descriptor(of: type) else { return nil }
    // Guard: every enum's descriptor has these two words since Swift 5.
    let payloads = unsafe descriptor.load(fromByteOffset: 20, as: UInt32.self) & 0xFF_FFFF
    let count = unsafe Int(descriptor.load(fromByteOffset: 24, as: UInt32.self))
    guard payloads == 0 else { return nil }
    // Guard: cases without payloads are numbered in order, in the fewest bytes that hold the numbers.
    switch (count, MemoryLayout<T>.size) {
    case (0, 0): return []
    case (1, 0): return [unsafe unsafeBitCast((), to: T.self)]
    case (2...256, 1): return (0..<count).map { unsafe unsafeBitCast(UInt8($0), to: T.self) }
    default: return nil
    }
  }

  /// Returns whether the type is a Swift enum, not one imported from C.
  package static func isEnum(_ type: Any.Type) -> Bool {
    unsafe descriptor(of: type) != nil
  }

  private static func descriptor(of type: Any.Type) -> UnsafeRawPointer? {
    let metadata = unsafe unsafeBitCast(type, to: UnsafeRawPointer.self)
    // Guard: metadata is never freed and starts with its kind; after 0x201, the kind of an enum, follows the
    // descriptor.
    guard unsafe metadata.load(as: UInt.self) == 0x201 else { return nil }
    let descriptor = unsafe metadata.load(fromByteOffset: 8, as: UnsafeRawPointer.self)
    let flags = unsafe descriptor.load(as: UInt32.self)
    // Kind 18 is an enum; an enum from C (bit 18) numbers its cases differently.
    guard flags & 0x1F == 18, flags & 1 << 18 == 0 else { return nil }
    return unsafe descriptor
  }
}
