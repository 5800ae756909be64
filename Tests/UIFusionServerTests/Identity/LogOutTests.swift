import Foundation
import FusionRawHTTP
import Synchronization
import Testing
import UIFusionKit
import UIFusionServer

/// Over sockets.
@Suite(.serialized, .timeLimit(.minutes(5)))
struct `A logout` {
  private let ending = #"{"event":"end","reason":"signed-out"}"#

  @Test func `ends its login's streams in all tabs, and no other's`() async throws {
    let hosted = try LoginService()
    // The same user at the same moment, in two browsers.
    let (one, other) = (
      try await hosted.logIn("ada", for: 600), try await hosted.logIn("ada", for: 600)
    )
    #expect(one != other)
    let path = try await hosted.create(one)
    let tabs = [
      try await hosted.follow("\(path)/events", one),
      try await hosted.follow("/events?session=\(path.dropFirst("/sessions/".count))", one),
    ]
    let another = try await hosted.follow("\(path)/events", other)
    #expect(try await hosted.ask("POST /logout", one).status == 204)
    for tab in tabs { #expect(try await hosted.rest(of: tab) == ending) }
    #expect(try await hosted.ask("POST \(path)/inputs", other, body: #"{"note":1}"#).status == 200)
    try await hosted.read(another, until: #""ada":[1]"#)
    await hosted.service.stop()
  }

  @Test func `ends a stream that a route has opened as the program`() async throws {
    let hosted = try LoginService()
    let (cookie, other) = (
      try await hosted.logIn("ada", for: 600), try await hosted.logIn("bob", for: 600)
    )
    let path = try await hosted.create(cookie)
    let hall = path.replacing("/sessions/", with: "/hall/")
    let (stream, another) = (
      try await hosted.follow(hall, cookie), try await hosted.follow(hall, other)
    )
    #expect(try await hosted.ask("POST /logout", cookie).status == 204)
    #expect(try await hosted.rest(of: stream) == ending)
    _ = try await hosted.service.sessions.asProgram.send(
      ["note": 1],
      to: String(path.dropFirst("/sessions/".count))
    )
    try await hosted.read(another, until: ":[1]")
    await hosted.service.stop()
  }

  @Test func `makes a copy of the cookie worthless`() async throws {
    let hosted = try LoginService()
    let cookie = try await hosted.logIn("ada", for: 600)
    let path = try await hosted.create(cookie)
    #expect(try await hosted.ask("POST /logout", cookie).status == 204)
    let copy = try await hosted.ask("GET \(path)", cookie)
    #expect(copy.status == 401 && copy.text.contains("/problems/logged-out"))
    // As a base64 text may be written in several ways.
    let bytes = Array(cookie.utf8)
    let last = try #require(bytes.lastIndex { $0 != 13 && $0 != 10 })
    for letter in "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_".utf8 {
      var twin = bytes
      twin[last] = letter
      let fields = String(decoding: twin, as: UTF8.self)
      #expect(try await hosted.ask("GET \(path)", fields).status == 401)
    }
    let anew = try await hosted.logIn("ada", for: 600)
    #expect(try await hosted.ask("GET \(path)", anew).status == 200)
    await hosted.service.stop()
  }

  @Test func `ends the login as it was before a renewal, too`() async throws {
    let hosted = try LoginService()
    let first = try await hosted.logIn("ada", for: 60)
    let path = try await hosted.create(first)
    let tab = try await hosted.follow("\(path)/events", first)
    let renewed = try await hosted.logIn("ada", for: 600, first)
    #expect(renewed != first)
    // Another user's login in the same browser is another one.
    let bob = try await hosted.logIn("bob", for: 600, renewed)
    #expect(try await hosted.ask("POST /logout", renewed).status == 204)
    #expect(try await hosted.rest(of: tab) == ending)
    #expect(try await hosted.ask("GET \(path)", first).status == 401)
    #expect(try await hosted.ask("GET /sessions/x", bob).status == 404)
    await hosted.service.stop()
  }

  @Test func `of a browser with two cookies ends both logins`() async throws {
    let hosted = try LoginService()
    let one = try await hosted.logIn("ada", for: 600)
    let two = try await hosted.logIn("bob", for: 600)
    #expect(try await hosted.ask("POST /logout", one + two).status == 204)
    for cookie in [one, two] {
      #expect(try await hosted.ask("GET /sessions/x", cookie).status == 401)
    }
    await hosted.service.stop()
  }

  @Test func `of somebody who is not logged in ends nobody's login`() async throws {
    let hosted = try LoginService()
    let cookie = try await hosted.logIn("ada", for: 600)
    let path = try await hosted.create(cookie)
    let forged = cookie.replacing(".", with: "x.")
    for fields in ["", "Cookie: uifusion-login=out\r\n", forged] {
      #expect(try await hosted.ask("POST /logout", fields).status == 204)
    }
    #expect(try await hosted.ask("GET \(path)", cookie).status == 200)
    await hosted.service.stop()
  }

  @Test func `ends the login's streams on the other nodes`() async throws {
    let (here, there) = (Topics(), Topics())
    TopicPipe.connect(here, there)
    let (one, other) = (try LoginService(topics: here), try LoginService(topics: there))
    let cookie = try await one.logIn("ada", for: 600)
    let path = try await other.create(cookie)
    let stream = try await other.follow("\(path)/events", cookie)
    #expect(try await one.ask("POST /logout", cookie).status == 204)
    #expect(try await other.rest(of: stream) == ending)
    #expect(try await other.ask("GET \(path)", cookie).status == 401)
    await one.service.stop()
    await other.service.stop()
  }
}

/// The way of topics from one process to another.
private final class TopicPipe: TopicRelay {
  private let queue = DispatchQueue(label: "TopicPipe")
  private let other: Topics

  private init(to other: Topics) {
    self.other = other
  }

  static func connect(_ a: Topics, _ b: Topics) {
    a.connect(TopicPipe(to: b))
    b.connect(TopicPipe(to: a))
  }

  func isWanted(_ topic: String) -> Bool { true }

  func encode<Value: Encodable>(_ value: Value) -> [UInt8]? {
    (try? JSONEncoder().encode(value)).map { Array($0) }
  }

  func decode<Value: Decodable>(_ type: Value.Type, from bytes: [UInt8]) -> Value? {
    try? JSONDecoder().decode(type, from: Data(bytes))
  }

  func send(_ message: TopicMessage) {
    queue.async { [other] in other.deliver(message) }
  }

  func follow(_ topic: String) {}
  func unfollow(_ topic: String) {}
}
