package import FusionStrictJSON

/// JSON Patch (RFC 6902), with the operations `add`, `remove` and `replace`.
package enum JSONPatch {
  /// Returns the patch that turns one value into another, as JSON.
  ///
  /// The same two values always give the same patch. The time is proportional to the values' size and depth.
  ///
  /// - Returns: nil if the patch would be longer than `limit` bytes.
  package static func text(
    from old: JSONValue,
    to new: JSONValue,
    limit: Int = .max
  ) -> [UInt8]? {
    var maker = PatchMaker(limit: limit)
    guard maker.diff(old, new, at: Pointer()) else { return nil }
    return maker.finished(within: limit)
  }

  /// Returns the patch that turns one text into another, byte for byte.
  ///
  /// Both texts must be written by ``StrictJSON``. Only the differing part is parsed, which for a small
  /// change of a large value takes a tenth of the time of parsing both.
  ///
  /// - Returns: nil if no patch of at most `limit` bytes gives exactly the new text, for example if a member
  ///   is inserted before others: a patch would add it last.
  package static func text(from old: [UInt8], to new: [UInt8], limit: Int) -> [UInt8]? {
    var maker = TextPatchMaker(limit: limit)
    let isDone = old.withUnsafeBytes { old in
      // Guard: the scanners do not leave these closures.
      new.withUnsafeBytes { new in
        maker.diff(TextScanner(bytes: old), TextScanner(bytes: new), at: Pointer())
      }
    }
    return isDone ? maker.patch.finished(within: limit) : nil
  }
}
