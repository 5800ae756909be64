import Foundation
import FusionRawHTTP
import Testing
import UIFusionServer

/// Clients over sockets whose logins end at random, and in whose browsers other users sign in.
///
/// `UIFUSION_LOGIN_COUNT` clients take part, by default 60.
@Suite(.timeLimit(.minutes(20)))
struct `Logins that end under load` {
  private let inputs = 10

  @Test func `lose no Input, repeat none, and send none as another identity`() async throws {
    let environment = ProcessInfo.processInfo.environment
    let count = environment["UIFUSION_LOGIN_COUNT"].flatMap(Int.init) ?? 60
    let hosted = try LoginService(standsStill: false)
    let owner = try await hosted.logIn("owner", for: 1_000_000)
    let shared = try await hosted.create(owner, scope: "shared")
    var (refused, others) = (0, 0)
    var failures: [String] = []
    // In groups, as the number of connections is limited.
    for start in stride(from: 0, to: count, by: 50) {
      try await withThrowingTaskGroup(of: (failure: String?, refused: Int, others: Int).self) {
        group in
        for number in start..<min(start + 50, count) {
          group.addTask { [inputs] in
            let client = ScriptedClient(number, hosted, shared)
            let own = try await client.run(inputs: inputs)
            let sent = client.sent.map(String.init).joined(separator: ",")
            let wanted = #"{"notes":{"user\#(number)":[\#(sent)]}}"#
            let failure = own.contains(wanted) ? nil : "\(number) wanted \(wanted), has \(own)"
            return (failure, client.refused, client.others)
          }
        }
        for try await result in group {
          if let failure = result.failure { failures.append(failure) }
          refused += result.refused
          others += result.others
        }
      }
    }
    #expect(failures.isEmpty, "\(failures.prefix(3))")
    let answer = try await hosted.ask("GET \(shared)", owner)
    struct Shared: Decodable { var state: SenderNotes.State }
    let notes = try JSONDecoder().decode(Shared.self, from: Data(answer.body)).state.notes
    #expect(notes.count == count)
    for (id, numbers) in notes { #expect(numbers == Array(0..<inputs), "\(id)") }
    // The clients met ended logins and other senders.
    #expect(refused > count / 2 && others > 0)
    await hosted.service.stop()
  }
}

/// A client like a page: it repeats each Input with the same key and sender until it gets an answer.
private final class ScriptedClient {
  private let id: String
  private let hosted: LoginService
  private let shared: String
  private var random: SplitMix
  private var login = ""
  private var mark = ""
  private(set) var sent: [Int] = []
  /// The number of requests while nobody was signed in, and while somebody else was.
  private(set) var refused = 0
  private(set) var others = 0

  init(_ number: Int, _ hosted: LoginService, _ shared: String) {
    (id, self.hosted, self.shared) = ("user\(number)", hosted, shared)
    random = SplitMix(state: UInt64(number) &* 0x9E37_79B9)
  }

  /// Sends Inputs to its own session and to a shared one; returns the text of its own session at the end.
  func run(inputs: Int) async throws -> String {
    login = try await hosted.logIn(id, for: 1_000_000)
    let own = try await hosted.create(login)
    mark = try #require(try await hosted.ask("GET \(own)", login)["Sender"])
    try await signIn(id)
    for number in 0..<inputs {
      for path in [own, shared] {
        try await send(number, to: path)
      }
      sent.append(number)
    }
    login = try await hosted.logIn(id, for: 1_000_000)
    return try await hosted.ask("GET \(own)", login).text
  }

  private func send(_ number: Int, to path: String) async throws {
    let key = "\(id)-\(number)-\(path.suffix(4))"
    while true {
      hosted.pass(random.chance(of: 0.5) ? 1 : 0)
      let fields =
        "\(login)If-Sender: \(mark)\r\nIdempotency-Key: \(key)\r\nPrefer: return=minimal\r\n"
      let body = #"{"note":\#(number)}"#
      if random.chance(of: 0.15) {
        // The client disconnects before the answer.
        let client = try hosted.connect()
        client.request("POST \(path)/inputs", json + fields, body: body)
        continue
      }
      switch try await hosted.ask("POST \(path)/inputs", fields, body: body).status {
      case 204: return
      case 401:
        refused += 1
        // Sometimes nobody signs in yet, or somebody else does.
        if random.chance(of: 0.2) { continue }
        try await signIn(
          random.chance(of: 0.3) ? "user\(random.next() % 1_000_000 + 1_000_000)" : id
        )
      case 412:
        others += 1
        try await signIn(id)
      case let status: throw RawClient.Silence(description: "\(status) to \(key)")
      }
    }
  }

  /// Signs in for a short time, which passes with the clients' requests.
  private func signIn(_ id: String) async throws {
    login = try await hosted.logIn(id, for: 1 + Int(random.next() % 400))
  }
}

/// Repeatable random numbers.
private struct SplitMix: RandomNumberGenerator {
  var state: UInt64

  mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var mixed = (state ^ (state >> 30)) &* 0xBF58_476D_1CE4_E5B9
    mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
    return mixed ^ (mixed >> 31)
  }

  mutating func chance(of part: Double) -> Bool { Double.random(in: 0..<1, using: &self) < part }
}
