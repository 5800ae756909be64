import FusionHTTPMessages

// Each method twice: for an answer of any kind, and for a value, which is sent as JSON, or as text if it is a String.
extension Routes {
  /// Adds a route for `GET`.
  public mutating func get(
    _ path: String,
    _ description: RouteDescription? = nil,
    _ answer: @escaping RouteHandler
  ) {
    add(.get, path, description, .whole, answer)
  }

  /// Adds a route for `GET` that answers with a value.
  public mutating func get(
    _ path: String,
    _ description: RouteDescription? = nil,
    _ answer: @escaping @Sendable (Request) async throws -> some Encodable & Sendable
  ) {
    add(.get, path, description, .whole) { try Response(value: await answer($0)) }
  }

  /// Adds a route for `POST`.
  public mutating func post(
    _ path: String,
    _ description: RouteDescription? = nil,
    body: RequestBody = .whole,
    _ answer: @escaping RouteHandler
  ) {
    add(.post, path, description, body, answer)
  }

  /// Adds a route for `POST` that answers with a value.
  public mutating func post(
    _ path: String,
    _ description: RouteDescription? = nil,
    body: RequestBody = .whole,
    _ answer: @escaping @Sendable (Request) async throws -> some Encodable & Sendable
  ) {
    add(.post, path, description, body) { try Response(value: await answer($0)) }
  }

  /// Adds a route for `PUT`.
  public mutating func put(
    _ path: String,
    _ description: RouteDescription? = nil,
    body: RequestBody = .whole,
    _ answer: @escaping RouteHandler
  ) {
    add(.put, path, description, body, answer)
  }

  /// Adds a route for `PUT` that answers with a value.
  public mutating func put(
    _ path: String,
    _ description: RouteDescription? = nil,
    body: RequestBody = .whole,
    _ answer: @escaping @Sendable (Request) async throws -> some Encodable & Sendable
  ) {
    add(.put, path, description, body) { try Response(value: await answer($0)) }
  }

  /// Adds a route for `PATCH`.
  public mutating func patch(
    _ path: String,
    _ description: RouteDescription? = nil,
    body: RequestBody = .whole,
    _ answer: @escaping RouteHandler
  ) {
    add(.patch, path, description, body, answer)
  }

  /// Adds a route for `PATCH` that answers with a value.
  public mutating func patch(
    _ path: String,
    _ description: RouteDescription? = nil,
    body: RequestBody = .whole,
    _ answer: @escaping @Sendable (Request) async throws -> some Encodable & Sendable
  ) {
    add(.patch, path, description, body) { try Response(value: await answer($0)) }
  }

  /// Adds a route for `DELETE`.
  public mutating func delete(
    _ path: String,
    _ description: RouteDescription? = nil,
    _ answer: @escaping RouteHandler
  ) {
    add(.delete, path, description, .whole, answer)
  }

  /// Adds a route for `DELETE` that answers with a value.
  public mutating func delete(
    _ path: String,
    _ description: RouteDescription? = nil,
    _ answer: @escaping @Sendable (Request) async throws -> some Encodable & Sendable
  ) {
    add(.delete, path, description, .whole) { try Response(value: await answer($0)) }
  }
}

extension Response {
  /// Makes the answer that is a value.
  fileprivate init(value: some Encodable) throws {
    if let text = value as? String {
      self.init(text: text)
    } else {
      try self.init(json: value)
    }
  }
}
