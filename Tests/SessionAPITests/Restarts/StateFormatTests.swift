import FusionHTTPMessages
import FusionSessions
import FusionStoreDoubles
import FusionStrictJSON
import Synchronization
import Testing
import UIFusionServer
import UIFusionTesting

/// A State that an older or newer view model has stored.
struct `A State of another format` {
  private let store = MemorySessionStore()

  /// Returns a process that has stored a recipe of the first edition, at version 2.
  private func firstEdition() async throws -> (client: Client, path: String) {
    let client = Client(store: store) { catalog in
      catalog.host("recipe", summary: "") { _ in Recipe.First() }
    }
    let path = try await client.session("recipe")
    try await client.send(.post, path + "/inputs", #""salt pepper""#)
    return (client, path)
  }

  private func shown(_ client: Client, _ path: String) async throws -> String {
    let answer = try await client.send(.get, path)
    #expect(answer.status == 200)
    return String(answer.text.drop { $0 != "," }.dropFirst())
  }

  @Test func `is migrated, and shown as the next version`() async throws {
    let (client, path) = try await firstEdition()
    let next = try await client.restarted(hosting: Recipe.hosting { Recipe.Second() })
    #expect(
      try await shown(next, path)
        == #""viewModel":"recipe","version":3,"state":{"lines":["salt","pepper"]},"settled":true}"#
    )
  }

  @Test func `is migrated once, however often the process restarts`() async throws {
    var (client, path) = try await firstEdition()
    for _ in 0..<3 {
      client = try await client.restarted(hosting: Recipe.hosting { Recipe.Second() })
      #expect(
        try await shown(client, path).contains(#""version":3,"state":{"lines":["salt","pepper"]}"#)
      )
    }
    try await client.send(.post, path + "/inputs", #""oil""#)
    client = try await client.restarted()
    #expect(
      try await shown(client, path).contains(
        #""version":4,"state":{"lines":["salt","pepper","oil"]}"#
      )
    )
  }

  @Test func `is migrated from the entries after the head, too`() async throws {
    var (client, path) = try await firstEdition()
    client.host.expirer.expire()
    #expect(try stored()?.entries.count == 0)
    try await client.send(.post, path + "/inputs", #"" oil""#)
    client = try await client.restarted(hosting: Recipe.hosting { Recipe.Second() })
    #expect(
      try await shown(client, path).contains(
        #""version":4,"state":{"lines":["salt","pepper","oil"]}"#
      )
    )
  }

  @Test func `keeps its version if migration leaves its JSON as it was`() async throws {
    var (client, path) = try await firstEdition()
    client = try await client.restarted(hosting: Recipe.hosting { Recipe.Second() })
    #expect(try await shown(client, path).contains(#""version":3,"#))
    for _ in 0..<2 {
      client = try await client.restarted(hosting: Recipe.hosting { Recipe.Third() })
      #expect(
        try await shown(client, path).contains(#""version":3,"state":{"lines":["salt","pepper"]}"#)
      )
    }
    try await client.send(.post, path + "/inputs", #""oil""#)
    client = try await client.restarted()
    #expect(
      try await shown(client, path).contains(
        #""version":4,"state":{"lines":["salt","pepper","oil!"]}"#
      )
    )
  }

  @Test(arguments: [#"GET"#, "POST"])
  func `is refused with its view model's name if it is newer, and stays as it is`(method: String)
    async throws
  {
    let (first, path) = try await firstEdition()
    let second = try await first.restarted(hosting: Recipe.hosting { Recipe.Second() })
    _ = try await second.send(.get, path)
    let before = try stored()
    let older = try await second.restarted(hosting: Recipe.hosting { Recipe.First() })
    let answer =
      method == "GET"
      ? try await older.send(.get, path)
      : try await older.send(.post, path + "/inputs", #""oil""#)
    #expect(answer.status == 410)
    #expect(try answer.member("type") == "/problems/unreadable-session")
    #expect(try answer.member("viewModel") == "recipe")
    #expect(try stored() == before)
    let newer = try await older.restarted(hosting: Recipe.hosting { Recipe.Second() })
    #expect(try await shown(newer, path).contains(#""version":3,"#))
  }

  @Test func `is not passed to migrate if it is newer`() async throws {
    let (first, path) = try await firstEdition()
    let second = try await first.restarted(hosting: Recipe.hosting { Recipe.Second() })
    #expect(try await second.send(.get, path).status == 200)
    let lenient = try await second.restarted(hosting: Recipe.hosting { Lenient() })
    #expect(try await lenient.send(.get, path).status == 410)
  }

  @Test func `is refused if migrate does not know its format`() async throws {
    let (first, path) = try await firstEdition()
    let before = try stored()
    let third = try await first.restarted(hosting: Recipe.hosting { Recipe.Third() })
    let answer = try await third.send(.get, path)
    #expect(answer.status == 410)
    #expect(try answer.member("type") == "/problems/unreadable-session")
    #expect(try stored() == before)
  }

  @Test func `is refused with its view model's name if that is not hosted`() async throws {
    let (first, path) = try await firstEdition()
    let before = try stored()
    let bare = try await first.restarted(hosting: [])
    for target in [path, path + "/events"] {
      let answer = try await bare.send(.get, target)
      #expect(answer.status == 410)
      #expect(try answer.member("type") == "/problems/unreadable-session")
      #expect(try answer.member("viewModel") == "recipe")
    }
    #expect(try stored() == before)
    let again = try await bare.restarted(hosting: Recipe.hosting { Recipe.First() })
    #expect(try await shown(again, path).contains(#""version":2,"state":{"text":"salt pepper"}"#))
  }

  @Test func `can be deleted even if no view model can read it`() async throws {
    let (first, path) = try await firstEdition()
    let bare = try await first.restarted(hosting: [])
    #expect(try await bare.send(.delete, path).status == 204)
    #expect(try await bare.send(.get, path).member("type") == "/problems/ended-session")
    #expect(try store.inventory().sessions.isEmpty)
  }

  @Test func `can be deleted after a request for its name, which is free then`() async throws {
    let first = Client(store: store) { $0.host("recipe", summary: "") { _ in Recipe.First() } }
    let body = #"{"viewModel":"recipe","name":"a"}"#
    let path = try #require(try await first.send(.post, "/sessions", body)["Location"])
    let third = try await first.restarted(hosting: Recipe.hosting { Recipe.Third() })
    let refused = try await third.send(.post, "/sessions", body)
    #expect(try refused.member("type") == "/problems/unreadable-session")
    let id = try #require(try refused.member("session"))
    #expect(path == "/sessions/\(id)")
    #expect(try await third.send(.delete, path).status == 204)
    #expect(try await third.send(.post, "/sessions", body).status == 201)
  }

  /// Returns the session as it is stored, byte for byte.
  private func stored() throws -> StoredSession? {
    let id = try #require(try store.inventory().sessions.first?.id)
    let found = Mutex<StoredSession?>(nil)
    store.load(id) { result in
      let session = try? result.get()
      found.withLock { $0 = session }
    }
    let session = found.withLock { $0 }
    #expect(session != nil)
    return session
  }
}
