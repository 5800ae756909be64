import FusionHTTPMessages
import FusionSessionAPI
package import FusionSessions
public import UIFusionKit

/// The view models that a service hosts, by name.
///
/// ```swift
/// var catalog = ViewModelCatalog()
/// catalog.host("counter", summary: "Counts") { CounterViewModel(time: $0.time) }
/// ```
public struct ViewModelCatalog: Sendable {
  package private(set) var viewModels: [HostedViewModel] = []
  /// The jobs that are done before the first request for a session is answered.
  private(set) var startJobs: [@Sendable (_ sessions: HostedSessions) async throws -> Void] = []

  /// Makes an empty catalog.
  public init() {}

  /// Hosts a view model that takes no parameters.
  ///
  /// Replaces a view model of the same name.
  ///
  /// - Parameters:
  ///   - name: its name for clients, a part of a path: letters, digits, `-`, `_`, `.`, `~`.
  ///   - summary: its purpose in a few words.
  ///   - make: creates an instance for each session, within that session's isolation.
  public mutating func host<Model: ViewModel>(
    _ name: String,
    summary: String,
    _ make: @escaping @Sendable (_ dependencies: Dependencies) throws -> Model
  ) where Model.Input: Codable, Model.State: Codable {
    host(name, summary: summary, parameters: NoParameters.self) { _, dependencies in
      try make(dependencies)
    }
  }

  /// Hosts a view model that takes parameters, which a client may give when it creates a session.
  ///
  /// Parameters that were not given are decoded from an empty object: members with a default have to be
  /// optional. An error that `make` throws refuses the session.
  public mutating func host<Model: ViewModel, Parameters: Decodable & Sendable>(
    _ name: String,
    summary: String,
    parameters: Parameters.Type,
    _ make:
      @escaping @Sendable (_ parameters: Parameters, _ dependencies: Dependencies) throws -> Model
  ) where Model.Input: Codable, Model.State: Codable {
    precondition(
      !name.isEmpty && ByteSet.unreserved.containsAll(of: name),
      "a view model's name is made of letters, digits, - _ . and ~"
    )
    viewModels.removeAll { $0.name == name }
    viewModels.append(HostedViewModel(name, summary: summary, parameters: parameters, make: make))
  }
}

extension ViewModelCatalog {
  /// Adds a job that has to be done before the first request for a session or a route is answered: it creates what must
  /// exist.
  ///
  /// ```swift
  /// catalog.atStart { sessions in
  ///   _ = try await sessions.create("house", name: "house", shared: true)
  /// }
  /// ```
  ///
  /// Each process does the jobs at each start, in the order in which they were added. A session with a name is found where
  /// it exists, so on several nodes it is created once. `sessions` has the program's rights, as ``Service/sessions`` has.
  /// All other calls of the program wait until the jobs are done, and so does a page whose middleware makes one.
  ///
  /// If a job throws, the error is logged, the requests that wait are answered with `503` `starting`, and all jobs are
  /// done again after a pause of up to 10 s, so each may be called several times. Until all are done, `/readyz` answers
  /// `503`. Pages, `/healthz` and `/metrics` do not wait.
  public mutating func atStart(
    _ job: @escaping @Sendable (_ sessions: HostedSessions) async throws -> Void
  ) {
    startJobs.append(job)
  }
}

private struct NoParameters: Decodable {
  private enum CodingKeys: CodingKey {}

  /// Decodes an object, so that any member is refused as unknown.
  init(from decoder: any Decoder) throws {
    _ = try decoder.container(keyedBy: CodingKeys.self)
  }
}
