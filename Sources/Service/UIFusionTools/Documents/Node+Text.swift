import FusionSessions
import FusionStrictJSON

extension Node {
  /// For people.
  var text: String { name.isEmpty ? "\(number)" : "\(number) (\(name))" }
}

extension Node? {
  /// Nothing where there is none.
  var json: JSONTree {
    guard let node = self else { return nil }
    return ["number": .number("\(node.number)"), "name": .string(node.name)]
  }
}
