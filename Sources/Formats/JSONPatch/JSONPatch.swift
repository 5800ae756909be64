package import FusionStrictJSON

/// JSON Patch (RFC 6902): what turns one JSON value into another.
package enum JSONPatch {
  /// The patch as JSON, made of `add`, `remove` and `replace` alone; nil where it would be longer
  /// than `limit` bytes.
  ///
  /// The same two values always give the same patch. It takes time in proportion to the values'
  /// size and depth.
  package static func text(
    from old: JSONValue,
    to new: JSONValue,
    limit: Int = .max
  ) -> [UInt8]? {
    var maker = PatchMaker(limit: limit)
    guard maker.turn(old, into: new, at: Pointer()) else { return nil }
    return maker.finished(within: limit)
  }

  /// The patch that makes one text of another, to the byte; nil where there is none within `limit` bytes.
  ///
  /// Where a member comes in before others, for one, there is none: it would stand last. Both texts are as
  /// `StrictJSON` writes them. It takes time in proportion to what differs, and little for the rest.
  package static func text(from old: [UInt8], to new: [UInt8], limit: Int) -> [UInt8]? {
    var maker = TextPatchMaker(limit: limit)
    let isDone = old.withUnsafeBytes { old in
      // Guard: the scanners live within these closures, as the pointers do.
      new.withUnsafeBytes { new in
        maker.turn(TextScanner(bytes: old), into: TextScanner(bytes: new), at: Pointer())
      }
    }
    return isDone ? maker.maker.finished(within: limit) : nil
  }
}
