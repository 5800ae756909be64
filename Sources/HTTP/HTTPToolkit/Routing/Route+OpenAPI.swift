import FusionHTTPMessages
package import FusionStrictJSON

extension Route {
  /// The path item object of the resource for OpenAPI, with `HEAD` and `OPTIONS`, which no route writes down.
  package var pathItem: JSONTree {
    var members: [JSONTree.Member] = []
    for endpoint in endpoints {
      members.append(.init(endpoint.method.rawValue.lowercased(), endpoint.operation.json))
      if endpoint.method == .get { members.append(.init("head", endpoint.operation.head)) }
    }
    if let first = endpoints.first { members.append(.init("options", first.operation.options)) }
    return .object(members)
  }
}

extension Router {
  /// The paths object of all routes.
  package var paths: JSONTree {
    .object(routes.map { .init($0.pattern.openAPIPath, $0.pathItem) })
  }
}
