import SessionAPI
package import Sessions
import StrictJSON
package import UIFusionKit

extension HostedViewModel {
  /// Hosts a view model whose Inputs are read, and whose State is written, by their `Codable`
  /// conformance.
  package init<Model: ViewModel, Given: Decodable & Sendable>(
    _ name: String,
    summary: String,
    parameters: Given.Type,
    make: @escaping @Sendable (_ parameters: Given, _ dependencies: Dependencies) throws -> Model
  ) where Model.Input: Decodable, Model.State: Encodable {
    let cache = InputCache<Model.Input>()
    self.init(
      name: name,
      summary: summary,
      types: Types(model: Model.self, parameters: Given.self),
      read: { body, condition, progress in
        let inputs = try readInputs(from: body, cache)
        return Delivery(inputs, progress: progress, if: condition)
      },
      open: { parameters, opening in
        let given = try (parameters ?? JSONDocument(Array("{}".utf8)).root).decode(Given.self)
        return try Engine(
          opening.dependencies,
          mailboxLimit: opening.mailboxLimit,
          settled: opening.settled,
          published: { (state: Model.State, version) in
            do {
              let (text, info) = try StrictJSON.encode(state, userInfo: PulseCounts.userInfo)
              opening.published(text, PulseCounts.fingerprint(in: info), version)
            } catch {
              opening.failed(error)
              opening.published(Array("null".utf8), 0, version)
            }
          },
          { try make(given, opening.dependencies) }
        )
      }
    )
  }
}

private func readInputs<Input: Decodable & Sendable>(
  from body: [UInt8],
  _ cache: InputCache<Input>
) throws -> [Input] {
  if let input = cache[body] { return [input] }
  let root = try JSONDocument(body).root
  guard root.kind == .array else {
    let input = try readInput(Input.self, from: root, index: nil)
    if root.isWithoutValues { cache.keep(input, readFrom: body) }
    return [input]
  }
  return try root.elements.enumerated().map { index, element in
    try readInput(Input.self, from: element, index: index)
  }
}

private func readInput<Input: Decodable>(
  _ type: Input.Type,
  from value: JSONValue,
  index: Int?
) throws(InputError) -> Input {
  do {
    return try value.decodeInput(type)
  } catch {
    throw InputError(error, reading: value, at: index)
  }
}

extension JSONValue {
  /// Whether this is `"increase"` or `{"increase":{}}`.
  fileprivate var isWithoutValues: Bool {
    switch kind {
    case .string: true
    case .object: members.allSatisfy { $0.value.kind == .object && $0.value.count == 0 }
    default: false
    }
  }
}
