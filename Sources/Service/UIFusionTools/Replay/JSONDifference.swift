import FusionStrictJSON

/// What differs between two values of JSON, a line for each member, for a person to read.
///
/// ```
/// value: 0 → 1
/// todos[1].title: nothing → "tea"
/// ```
struct JSONDifference {
  private(set) var lines: [String] = []

  init(from before: JSONTree, to after: JSONTree) {
    compare(before, after, at: "")
  }

  private mutating func compare(_ before: JSONTree?, _ after: JSONTree?, at path: String) {
    guard before != after else { return }
    switch (before, after) {
    case (.object(let old)?, .object(let new)?):
      let names = old.map(\.name) + new.map(\.name).filter { before?[$0] == nil }
      for name in names {
        compare(before?[name], after?[name], at: path.isEmpty ? name : "\(path).\(name)")
      }
    case (.array(let old)?, .array(let new)?):
      for index in 0..<max(old.count, new.count) {
        compare(
          old.dropFirst(index).first,
          new.dropFirst(index).first,
          at: "\(path)[\(index)]"
        )
      }
    default:
      let change = "\(before?.text ?? "nothing") → \(after?.text ?? "nothing")"
      lines.append(path.isEmpty ? change : "\(path): \(change)")
    }
  }
}
