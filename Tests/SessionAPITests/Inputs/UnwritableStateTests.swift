import Foundation
import FusionHTTPMessages
import FusionSessions
import FusionStoreDoubles
import Testing
import UIFusionKit
import UIFusionServer
import UIFusionTesting

/// A link, which may be empty.
private struct Link: ViewModelProtocol {
  enum Input: Codable, Sendable { case clear, set(URL) }
  typealias Action = Input
  struct State: Codable, Equatable, Sendable { var target: URL? }

  var state = State()

  func transform(_ input: Input) -> [Input] { [input] }
  mutating func perform(_ action: Input) {
    switch action {
    case .clear: state.target = URLComponents().url
    case .set(let url): state.target = url
    }
  }
}

/// The share that was stored.
private struct Share: ViewModelProtocol {
  struct State: Codable, Equatable, Sendable { var parts = 0.0 }
  typealias Input = String
  typealias Action = String
  var state = State()

  func transform(_ input: String) -> [String] { [] }
  mutating func perform(_ action: String) {}
}

/// A ``Share`` that reads a State that it cannot write.
private struct EndlessShare: ViewModelProtocol {
  struct State: Codable, Equatable, Sendable {
    var parts = 1.0
    var size: Double?

    init() {}

    init(from decoder: any Decoder) throws {
      let container = try decoder.container(keyedBy: CodingKeys.self)
      parts = try container.decode(Double.self, forKey: .parts)
      size = 1 / parts
    }
  }

  enum Input: Codable, Sendable { case divide(Double) }
  typealias Action = Input
  var state = State()

  func transform(_ input: Input) -> [Input] { [input] }
  mutating func perform(_ action: Input) {
    if case .divide(let parts) = action { (state.parts, state.size) = (parts, 1 / parts) }
  }
}

struct `A State that cannot be written` {
  @Test func `is refused, as an empty URL could not be read back`() async throws {
    #expect(URLComponents().url?.absoluteString == "")
    let client = Client(store: MemorySessionStore()) {
      $0.host("link", summary: "") { _ in Link() }
    }
    let path = try await client.session("link")
    try await client.send(.post, path + "/inputs", #"{"set":"http://a/b"}"#)
    let refused = try await client.send(.post, path + "/inputs", #""clear""#)
    #expect(refused.status == 500)
    #expect(try refused.member("type") == "/problems/state-not-writable")
    #expect(try refused.member("member") == "target")
    let next = try await client.restarted()
    #expect(
      try await next.send(.get, path).text.contains(#""version":2,"state":{"target":"http://a/b"}"#)
    )
  }

  @Test func `is restored if another program has stored it`() async throws {
    let client = Client(store: MemorySessionStore()) {
      $0.host("share", summary: "") { _ in Share() }
    }
    let path = try await client.session("share")
    var catalog = ViewModelCatalog()
    catalog.host("share", summary: "") { _ in EndlessShare() }
    let next = try await client.restarted(hosting: catalog.viewModels)
    #expect(try await next.send(.get, path).status == 200)
    let mended = try await next.send(.post, path + "/inputs", #"{"divide":2}"#)
    #expect(mended.text.contains(#""state":{"parts":2,"size":0.5}"#))
    let again = try await next.restarted()
    #expect(try await again.send(.get, path).text.contains(#""state":{"parts":2,"size":0.5}"#))
  }
}
