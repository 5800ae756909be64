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
    self.init(
      name: name,
      summary: summary,
      read: { body, condition, progress in
        let inputs = try readInputs(Model.Input.self, from: body)
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
              opening.published(try StrictJSON.encode(state), version)
            } catch {
              opening.failed(error)
              opening.published(Array("null".utf8), version)
            }
          },
          { try make(given, opening.dependencies) }
        )
      }
    )
  }
}

private func readInputs<Input: Decodable>(
  _ type: Input.Type,
  from body: [UInt8]
) throws -> [Input] {
  let root = try JSONDocument(body).root
  guard root.kind == .array else { return [try readInput(type, from: root, index: nil)] }
  return try root.elements.enumerated().map { index, element in
    try readInput(type, from: element, index: index)
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
    throw InputError(error, of: type, at: index)
  }
}
