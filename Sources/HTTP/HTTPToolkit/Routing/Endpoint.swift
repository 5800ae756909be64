package import FusionHTTPMessages

/// The values that a router's handlers work with: the service that answers, for instance.
package protocol RoutingContext: Sendable {
  /// What an endpoint requires before its handler is called; `Void` where no endpoint requires anything.
  associatedtype Requirement: Sendable = Void
}

/// One method of a resource: its handler, and its description for OpenAPI.
///
/// A class, so that finding one copies nothing.
package final class Endpoint<Context: RoutingContext>: Sendable {
  package let method: HTTPMethod
  package let operation: Operation
  package let requirement: Context.Requirement
  package let handler: Handler

  /// Answers once, during the call or after it, or throws the problem to answer with.
  package typealias Handler =
    @Sendable (Context, PathParameters, HTTPRequest, PendingResponse) throws(Problem) -> Void

  package init(
    _ method: HTTPMethod,
    _ operation: Operation,
    requiring requirement: Context.Requirement,
    _ handler: @escaping Handler
  ) {
    self.method = method
    self.operation = operation
    self.requirement = requirement
    self.handler = handler
  }
}

extension Endpoint where Context.Requirement == Void {
  /// Creates an endpoint whose handler may be called at any time.
  package convenience init(
    _ method: HTTPMethod,
    _ operation: Operation,
    _ handler: @escaping Handler
  ) {
    self.init(method, operation, requiring: (), handler)
  }
}
