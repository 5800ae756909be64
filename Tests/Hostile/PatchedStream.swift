import FusionRawHTTP
import FusionStrictJSON

/// A stream of patches, applied by the rules of RFC 6902, section 4.
///
/// It is written apart from the service's own patches, so that each judges the other.
final class PatchedStream {
  struct Fault: Error { let text: String }

  private let client: RawClient
  private var state = JSONTree.null
  private var version = 0
  private var rest: [UInt8] = []

  init(_ session: String, port: Int) throws {
    client = try RawClient(port)
    client.request("GET \(session)/events?format=patch", "Accept: application/x-ndjson\r\n")
    guard try client.head()?.status == 200 else { throw Fault(text: "no stream") }
  }

  /// Reads until a version has come; returns its State.
  func state(at wanted: Int) throws -> String {
    while version < wanted {
      while !rest.contains(10) {
        guard let chunk = try client.chunk(), !chunk.isEmpty else { throw Fault(text: "it ended") }
        rest += chunk
      }
      let line = rest.prefix { $0 != 10 }
      rest.removeFirst(line.count + 1)
      if !line.isEmpty { try apply(JSONTree(JSONDocument(Array(line)).root)) }
    }
    return state.text
  }

  private func apply(_ event: JSONTree) throws {
    guard case .number(let number)? = event["version"], let version = Int(number) else { return }
    if case .array(let operations)? = event["patch"] {
      for operation in operations {
        guard case .string(let path)? = operation["path"], case .string(let name)? = operation["op"]
        else { throw Fault(text: "\(operation.text) is no operation") }
        let steps = path.utf8.split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false)
          .dropFirst().map { Self.unescaped(String($0) ?? "") }
        try Self.change(&state, steps[...], name, operation["value"])
      }
    } else if let state = event["state"] {
      self.state = state
    }
    self.version = version
  }

  private static func unescaped(_ step: String) -> String {
    step.replacing("~1", with: "/").replacing("~0", with: "~")
  }

  private static func change(
    _ tree: inout JSONTree,
    _ steps: ArraySlice<String>,
    _ operation: String,
    _ value: JSONTree?
  ) throws {
    guard let step = steps.first else {
      tree = value ?? .null
      return
    }
    let isLast = steps.count == 1
    switch tree {
    case .object(var members):
      let index = members.firstIndex { $0.name.utf8.elementsEqual(step.utf8) }
      switch (isLast, operation, index) {
      case (false, _, let index?):
        try change(&members[index].value, steps.dropFirst(), operation, value)
      case (true, "remove", let index?): members.remove(at: index)
      case (true, "add", let index?), (true, "replace", let index?):
        members[index].value = value ?? .null
      case (true, "add", nil): members.append(JSONTree.Member(step, value ?? .null))
      default: throw Fault(text: "\(operation) at \(step), which is not there")
      }
      tree = .object(members)
    case .array(var elements):
      let index = step == "-" ? elements.count : Int(step) ?? -1
      switch (isLast, operation) {
      case (false, _) where elements.indices.contains(index):
        try change(&elements[index], steps.dropFirst(), operation, value)
      case (true, "remove") where elements.indices.contains(index): elements.remove(at: index)
      case (true, "replace") where elements.indices.contains(index):
        elements[index] = value ?? .null
      case (true, "add") where (0...elements.count).contains(index):
        elements.insert(value ?? .null, at: index)
      default: throw Fault(text: "\(operation) at \(step) of \(elements.count)")
      }
      tree = .array(elements)
    default: throw Fault(text: "\(operation) at \(step) of a value without members")
    }
  }
}
