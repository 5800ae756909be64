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
    let text = maker.finished
    // No patch at all is one of two bytes.
    return text.count <= limit ? text : nil
  }
}
