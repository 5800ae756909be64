/// The names of an enum's cases, read from what the compiler leaves of the type at run time.
///
/// The layout is part of Swift's stable ABI (swift/docs/ABI/TypeMetadata.rst and the context
/// descriptors of swift/ABI/Metadata.h). Anything that is no enum has no names.
enum EnumCases {
  static func names(of type: Any.Type) -> [String] {
    let metadata = unsafeBitCast(type, to: UnsafeRawPointer.self)
    // Guard: a type's metadata lives for ever, and starts with its kind; 0x201 is an enum's.
    guard metadata.load(as: UInt.self) == 0x201 else { return [] }
    let descriptor = metadata.load(fromByteOffset: 8, as: UnsafeRawPointer.self)
    guard let fields = target(of: descriptor + 16) else { return [] }
    let recordSize = Int(fields.load(fromByteOffset: 10, as: UInt16.self))
    let count = Int(fields.load(fromByteOffset: 12, as: UInt32.self))
    return (0..<count).compactMap { index in
      // A record: flags, the payload's type, the name; the last two are relative references.
      target(of: fields + 16 + index * recordSize + 8).map {
        String(cString: $0.assumingMemoryBound(to: CChar.self))
      }
    }
  }

  /// Follows a relative reference: an offset from where it stands; 0 is none.
  private static func target(of reference: UnsafeRawPointer) -> UnsafeRawPointer? {
    let offset = reference.load(as: Int32.self)
    return offset == 0 ? nil : reference + Int(offset)
  }
}
