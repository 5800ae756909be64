import Foundation
import FusionRawHTTP
import Testing
import UIFusionKit
import UIFusionServer

// What follows is the Swift that `uifusion new rooms --with login` writes besides the view model.

/// The name and password of somebody who signs in.
struct LoginForm: Decodable {
  let name: String
  let password: String

  /// The person; nil if the name or the password is wrong.
  var person: Identity? { password == "try" ? people[name.lowercased()] : nil }
}

/// The people who may sign in, to try it out.
///
/// Replace them by your own: everybody can read this password.
private let people = [
  "ada": Identity(id: "ada", name: "Ada"),
  "bob": Identity(id: "bob", name: "Bob"),
  "eve": Identity(id: "eve", name: "Eve", roles: ["host"]),
]

/// Adds the routes of the page that signs people in, and of the button that signs them out.
func addLoginRoutes(to routes: inout Routes) {
  routes.post("/login") { request in
    guard let person = try request.decode(as: LoginForm.self).person else {
      throw HTTPError(401, "The name or the password is wrong.")
    }
    var response = Response(204)
    response.logIn(person, for: .seconds(8 * 3600))
    return response
  }
  routes.post("/logout") { _ in
    var response = Response(303, headers: ["Location": "/login.html"])
    response.logOut()
    return response
  }
}

struct `The logins of a new package` {
  @Test func `let its people in, and out again`() async throws {
    let folder = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    let keys = folder.appending(path: "keys")
    try Data(String(repeating: "k", count: 64).utf8).write(to: keys)
    var configuration = Configuration()
    (configuration.port, configuration.publicFolder) = (0, folder.path)
    (configuration.data, configuration.logLevel) = (.memory, .error)
    configuration.authCookies = keys.path
    var dependencies = Dependencies()
    dependencies.executor = QueueExecutor()
    var routes = Routes()
    addLoginRoutes(to: &routes)
    routes.get("/me") { $0.identity?.roles.joined() ?? "nobody" }
    let service = try Service(
      ViewModelCatalog(),
      configuration,
      dependencies: dependencies,
      routes: routes
    )
    for body in [#"{"name":"eve","password":"guess"}"#, #"{"name":"mallory","password":"try"}"#] {
      let refused = try await service.ask("POST /login", body: body)
      #expect(refused.status == 401 && refused.text.contains("The name or the password is wrong."))
    }
    let login = try await service.ask("POST /login", body: #"{"name":"Eve","password":"try"}"#)
    let cookie = "Cookie: \(try #require(login["Set-Cookie"]).prefix { $0 != ";" })\r\n"
    #expect(try await service.ask("GET /me", cookie).text == "host")
    let out = try await service.ask("POST /logout", cookie)
    #expect(out.status == 303 && out["Location"] == "/login.html")
    #expect(try await service.ask("GET /me", cookie).text == "nobody")
    await service.stop()
  }
}
