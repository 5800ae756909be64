import Testing
import UIFusionTesting

/// Further examples after their process was killed at work.
struct `Another restarted example` {
  @Test func `auto-refresh: repeats an interrupted load, and counts it once`() async throws {
    var page = try await Visit("auto-refresh")
    try await page.send(#""start""#)
    await page.advance(by: 5_400)
    #expect(try await page.state().hasPrefix(#"{"count":2,"data":["데이터 1-1","#))
    try await page.restart()
    #expect(try await page.state().hasSuffix(#""isRunning":true,"isLoading":true}"#))
    await page.advance(by: 499)
    #expect(try await page.state().hasPrefix(#"{"count":2,"data":["데이터 1-1","#))
    await page.advance(by: 1)
    let second = #"{"count":2,"data":["데이터 2-1","데이터 2-2","데이터 2-3"],"isRunning":true,"#
    #expect(try await page.state() == second + #""isLoading":false}"#)
    await page.advance(by: 4_499)
    #expect(try await page.state() == second + #""isLoading":false}"#)
    await page.advance(by: 1)
    #expect(try await page.state().hasPrefix(#"{"count":3,"#))
  }

  @Test func `auto-refresh: repeats an interrupted load, and no more, if it is stopped`()
    async throws
  {
    var page = try await Visit("auto-refresh")
    try await page.send(#""refresh""#)
    try await page.restart()
    await page.advance(by: 10_000)
    #expect(
      try await page.state()
        == #"{"count":1,"data":["데이터 1-1","데이터 1-2","데이터 1-3"],"isRunning":false,"isLoading":false}"#
    )
  }

  @Test func `shop: keeps its cart, and says that a payment was cut off`() async throws {
    var shop = try await Visit("shop")
    await shop.advance(by: 1_000)
    try await shop.send(#"{"add":{"productID":"cheese"}}"#, #""checkOut""#)
    await shop.advance(by: 500)
    try await shop.restart()
    let state = try await shop.state()
    #expect(state.contains(#""total":690,"checkOut":{"failed":"Payment was interrupted"}"#))
  }

  @Test func `multi-timer: running timers run again, stopped ones do not`() async throws {
    var timers = try await Visit("multi-timer")
    try await timers.send(#""startAll""#)
    await timers.advance(by: 900)
    try await timers.send(#"{"stop":"A"}"#, #"{"stop":"D"}"#)
    func state(_ a: Int, _ b: Int, _ c: Int, _ d: Int) -> String {
      #"{"timers":{"A":{"ticks":\#(a),"isRunning":false},"B":{"ticks":\#(b),"isRunning":true},"#
        + #""C":{"ticks":\#(c),"isRunning":true},"D":{"ticks":\#(d),"isRunning":false}}}"#
    }
    #expect(try await timers.state() == state(0, 1, 0, 3))
    try await timers.restart()
    await timers.advance(by: 499)
    #expect(try await timers.state() == state(0, 1, 0, 3))
    await timers.advance(by: 1_501)
    #expect(try await timers.state() == state(0, 5, 1, 3))
  }

  @Test func `todos: a ticked item that has not sunk yet does after a whole second`() async throws {
    var todos = try await Visit("todos")
    try await todos.send(#"{"add":{"title":"milk"}}"#, #"{"add":{"title":"bread"}}"#)
    let id = try #require(try await todos.state().split(separator: #""id":""#).dropFirst().first)
    try await todos.send(#"{"toggle":{"id":"\#(id.prefix { $0 != "\"" })"}}"#)
    await todos.advance(by: 900)
    try await todos.restart()
    await todos.advance(by: 999)
    #expect(try await titles(todos) == ["milk", "bread"])
    await todos.advance(by: 1)
    #expect(try await titles(todos) == ["bread", "milk"])
  }

  @Test func `todos: an item that has sunk stays there`() async throws {
    var todos = try await Visit("todos")
    try await todos.send(#"{"add":{"title":"milk"}}"#, #"{"add":{"title":"bread"}}"#)
    let id = try #require(try await todos.state().split(separator: #""id":""#).dropFirst().first)
    try await todos.send(#"{"toggle":{"id":"\#(id.prefix { $0 != "\"" })"}}"#)
    await todos.advance(by: 1_000)
    try await todos.restart()
    #expect(todos.client.clock.sleepers == 0)
    #expect(try await titles(todos) == ["bread", "milk"])
  }

  private func titles(_ todos: Visit) async throws -> [String] {
    let state = try await todos.state()
    return state.split(separator: #""title":""#).dropFirst().map {
      String($0.prefix { $0 != "\"" })
    }
  }

  @Test func `login: does not repeat a request, and waits for the password`()
    async throws
  {
    var login = try await Visit("login")
    try await login.send(
      #"{"emailChanged":"2fa@example.com"}"#,
      #"{"passwordChanged":"password"}"#,
      #""submit""#
    )
    let inFlight =
      #"{"email":"2fa@example.com","password":"••••","isFormValid":true,"isRequestInFlight":true,"#
    #expect(try await login.state().hasPrefix(inFlight))
    try await login.restart()
    let waiting =
      #"{"email":"2fa@example.com","password":"","isFormValid":false,"isRequestInFlight":false,"#
      + #""step":"credentials","alert":{"value":null,"pulse":0}}"#
    #expect(try await login.state() == waiting)
    await login.advance(by: 10_000)
    #expect(try await login.state() == waiting)
    try await login.send(#"{"passwordChanged":"password"}"#, #""submit""#)
    await login.advance(by: 1_000)
    #expect(try await login.state().contains(#""step":"twoFactor""#))
  }

  @Test func `login: keeps the second step, and the alert with its count`() async throws {
    var login = try await Visit("login")
    try await login.send(
      #"{"emailChanged":"2fa@example.com"}"#,
      #"{"passwordChanged":"password"}"#,
      #""submit""#
    )
    await login.advance(by: 1_000)
    try await login.send(#"{"codeChanged":"1"}"#, #""submitCode""#)
    await login.advance(by: 1_000)
    try await login.send(#""submitCode""#)
    try await login.restart()
    #expect(
      try await login.state().hasSuffix(
        #""isRequestInFlight":false,"step":"twoFactor","alert":{"value":"Invalid code.","pulse":1}}"#
      )
    )
  }

  @Test func `login: never shows a valid form without a password`() async throws {
    var login = try await Visit("login")
    try await login.send(#"{"emailChanged":"a@example.com"}"#, #"{"passwordChanged":"x"}"#)
    let version = try await login.version()
    try await login.restart()
    #expect(try await login.state().contains(#""password":"","isFormValid":false"#))
    #expect(try await login.version() == version + 1)
  }

  @Test func `chat: is disconnected, and can be connected again`() async throws {
    var chat = try await Visit("chat")
    try await chat.send(#"{"connect":{"name":"Ada"}}"#, #"{"send":"hi"}"#)
    let messages = #""messages":[{"from":"Ada","text":"hi"}]"#
    #expect(try await chat.state().hasPrefix(#"{"isConnected":true,"status":"연결됨",\#(messages)"#))
    try await chat.restart()
    #expect(
      try await chat.state().hasPrefix(#"{"isConnected":false,"status":"연결 끊김",\#(messages)"#)
    )
    try await chat.send(#"{"send":"lost"}"#)
    #expect(try await chat.state().contains("웹소켓에 연결되어 있지 않습니다"))
    try await chat.send(#"{"connect":{"name":"Bob"}}"#, #"{"send":"ho"}"#)
    #expect(
      try await chat.state().hasPrefix(
        #"{"isConnected":true,"status":"연결됨","messages":[{"from":"Ada","text":"hi"},"#
          + #"{"from":"Bob","text":"ho"}]"#
      )
    )
  }

  @Test func `chat: does not change if it was never connected`() async throws {
    var chat = try await Visit("chat")
    try await chat.send(#"{"send":"hi"}"#)
    let before = (try await chat.state(), try await chat.version())
    try await chat.restart()
    #expect(try await (chat.state(), chat.version()) == before)
  }

  @Test(arguments: [("counter-sync", #""show""#), ("fan-out", #""buttonTap""#)])
  func `does not change if nothing was at work`(viewModel: String, input: String) async throws {
    var session = try await Visit(viewModel)
    try await session.send(input, input)
    let before = (try await session.state(), try await session.version())
    try await session.restart()
    #expect(try await (session.state(), session.version()) == before)
    try await session.send(input)
    #expect(try await session.version() == before.1 + 1)
  }
}
