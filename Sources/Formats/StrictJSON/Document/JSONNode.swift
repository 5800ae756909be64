/// One entry of a parsed document's flat list: a value, or a member's name in front of its value.
///
/// Nodes stand in document order, an object's or array's own node before those of its contents.
/// Twenty bytes and no reference, so that a small document costs one allocation and no counting.
struct JSONNode {
  enum Kind: UInt8 {
    case object, array, string, number, bool, null
  }

  var kind: Kind

  /// One bit that says something else for each kind.
  ///
  /// Strings: no scalar above U+007F. Booleans: the value itself.
  var flag: Bool

  /// The first byte in the source, a string's opening quotation mark included.
  var start: UInt32

  /// Where the value's contents are.
  ///
  /// Strings and numbers: the first byte of the text. Objects and arrays: the index of the node
  /// after their last one (while the parser has them open: the index of the container around them).
  var link: UInt32

  /// How much the value holds.
  ///
  /// Strings and numbers: the length of the text. Objects and arrays: how many members or elements.
  var count: UInt32

  /// Objects with many members: one more than where their names' hash table begins, otherwise 0.
  var table: UInt32 = 0

  var textRange: Range<Int> { Int(link)..<Int(link) + Int(count) }
}
