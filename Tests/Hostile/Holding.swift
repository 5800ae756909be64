import FusionFaultInjection
import UIFusionKit
import UIFusionServer

/// A view model whose State is the value that it was sent last.
struct Holding<Content: Drawn>: ViewModelProtocol {
  enum Input: Codable, Sendable { case hold(Content), touch }
  enum Action: Sendable { case hold(Content), touch }

  struct State: Codable, Equatable, Sendable {
    var content: Content?
    var touches = 0
  }

  var state = State()

  func transform(_ input: Input) -> [Action] {
    switch input {
    case .hold(let content): [.hold(content)]
    case .touch: [.touch]
    }
  }

  mutating func perform(_ action: Action) {
    switch action {
    case .hold(let content): state.content = content
    case .touch: state.touches += 1
    }
  }
}

/// The types of a seed, and the service that hosts a ``Holding`` of each.
struct HostileCatalog {
  let types: [any Drawn.Type]

  init(seed: UInt64) {
    var generator = Generator(seed: seed)
    types = (0..<12).map { _ in generator.type(depth: 3) }
  }

  var viewModels: ViewModelCatalog {
    var catalog = ViewModelCatalog()
    for (number, type) in types.enumerated() { host(type, "m\(number)", in: &catalog) }
    catalog.host("form", summary: "Holds a value of every kind that has a field") { _ in BoundForm()
    }
    return catalog
  }

  private func host<Content: Drawn>(
    _: Content.Type,
    _ name: String,
    in catalog: inout ViewModelCatalog
  ) {
    catalog.host(name, summary: "Holds \(Content.self)") { _ in Holding<Content>() }
  }
}
