import Foundation
import Testing
import UIFusionServer

@testable import UIFusionTools

struct `A new package` {
  private let root = URL(filePath: #filePath).deletingLastPathComponent()
    .deletingLastPathComponent().deletingLastPathComponent().path
  private let parent = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)
    .path

  /// Runs a body with an existing folder, which is removed afterwards.
  private func inFolder(_ body: () throws -> Void) throws {
    try FileManager.default.createDirectory(atPath: parent, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(atPath: parent) }
    try body()
  }

  private func package(_ name: String, with parts: Set<PackagePart> = []) throws -> NewPackage {
    NewPackage(
      name: try #require(PackageName(name)),
      checkout: try Checkout(at: root),
      source: .folder(root),
      parts: parts
    )
  }

  private func text(_ path: String) throws -> String {
    try String(contentsOfFile: parent + "/" + path, encoding: .utf8)
  }

  @Test(arguments: ["shop", "Shop", "my-shop", "my_shop2", "s"])
  func `accepts a name that is valid in Swift`(name: String) {
    #expect(PackageName(name)?.description == name)
  }

  @Test(arguments: [
    "", "2shops", "-shop", "_shop", "my shop", "shop/..", "..", ".shop", "läden", "shop\n", "a\"b",
    "class", "Self", "Swift", "testing", "main", "UIFusion", "UIFusionKit", "FusionShop",
    "CFusionShop", "simulate", String(repeating: "s", count: 65),
  ])
  func `refuses any other name`(name: String) {
    #expect(PackageName(name) == nil)
  }

  @Test func `derives the names of its parts from its name`() throws {
    let name = try #require(PackageName("my-little_shop"))
    #expect(name.module == "my_little_shop")
    #expect(name.viewModel == "MyLittleShopViewModel")
    #expect(name.tests == "MyLittleShopTests")
    #expect(PackageName("Shop")?.image == "shop")
  }

  @Test func `has all files to build, test and run it`() throws {
    try inFolder {
      #expect(try package("my-shop").write(in: parent) == parent + "/my-shop")
      let files = try FileManager.default.subpathsOfDirectory(atPath: parent + "/my-shop").sorted()
      #expect(
        files == [
          ".dockerignore", ".gitignore", "Dockerfile", "Makefile", "Package.swift", "Public",
          "Public/favicon.svg", "Public/index.html", "Public/style.css", "README.md",
          "Sources", "Sources/my-shop", "Sources/my-shop/MyShopViewModel.swift",
          "Sources/my-shop/main.swift", "Tests", "Tests/MyShopTests",
          "Tests/MyShopTests/MyShopTests.swift",
        ]
      )
      #expect(try text("my-shop/Package.swift").contains("?? \"\(root)\"\n"))
      #expect(
        try text("my-shop/Makefile").contains(
          "\nrun: packages\n\tswift run my-shop serve $(ARGS)\n"
        )
      )
      #expect(try text("my-shop/Public/index.html").contains("data-view-model=\"my-shop\""))
      #expect(try text("my-shop/Sources/my-shop/main.swift").contains("host(\"my-shop\","))
      #expect(
        try text("my-shop/Tests/MyShopTests/MyShopTests.swift").contains("import my_shop\n")
      )
      for file in Checkout.style {
        let original = try String(contentsOfFile: "\(root)/Public/\(file)", encoding: .utf8)
        #expect(try text("my-shop/Public/\(file)") == original)
      }
    }
  }

  /// The program serves the client.
  @Test func `has every file that its page loads, but no script`() throws {
    let files = try package("shop").files()
    let page = try #require(files.first { $0.path == "Public/index.html" })
    let text = String(decoding: page.bytes, as: UTF8.self)
    let used = Set(text.matches(of: /(?:src|href)="([\w\/]+\.\w+)"/).map { String($0.output.1) })
    #expect(used == ["uifusion.js", "favicon.svg", "style.css"])
    let paths = files.map(\.path)
    #expect(Checkout.style.allSatisfy { paths.contains("Public/\($0)") })
    #expect(!paths.contains { $0.hasSuffix(".js") })
  }

  @Test func `has a page whose bindings exist in its view model`() throws {
    let name = try #require(PackageName("shop"))
    let template = PackageTemplate(name: name, source: .folder("/uifusion"))
    let page = template.page.replacing(/data-text="(?:curl|\$).*?"/, with: "")
    let inputs = page.matches(of: /data-input="(\w+)"/).map(\.output.1)
    #expect(inputs == ["increase", "increaseLater", "reset"])
    #expect(
      template.viewModel.contains(
        "enum Input: Codable, Sendable { case increase, increaseLater, reset }"
      )
    )
    for match in page.matches(of: /data-(?:text|show|busy)="(\w+)"/) {
      #expect(template.viewModel.contains("    var \(match.output.1) = "), "\(match.output.1)")
    }
  }

  @Test func `has logins, and what people share, if asked for`() throws {
    #expect(PackagePart.parts(of: "login") == [.login])
    #expect(PackagePart.parts(of: "shared") == [.login, .shared])
    #expect(PackagePart.parts(of: "shared,login") == [.login, .shared])
    for text in ["", "logins", "login,", "login;shared"] {
      #expect(PackagePart.parts(of: text) == nil)
    }
    let counter = try package("rooms", with: [.login]).files()
    let rooms = try package("rooms", with: [.login, .shared]).files()
    func text(_ path: String, in files: [NewPackage.File]) throws -> String {
      let file = try #require(files.first { $0.path == path }, "\(path)")
      return String(decoding: file.bytes, as: UTF8.self)
    }
    for files in [counter, rooms] {
      #expect(try text("Public/index.html", in: files).contains("action=\"/logout\""))
      #expect(
        try text("Public/index.html", in: files).contains("data-login=\"/login.html?return=\"")
      )
      #expect(try text("Public/login.html", in: files).contains("src=\"login.js\""))
      #expect(try text("Makefile", in: files).contains("run dev: .keys\n"))
      let tests = try text("Tests/RoomsTests/LoginTests.swift", in: files)
      #expect(tests.contains(#"LoginForm(name: "Ada", password: "try").person?.id == "ada""#))
      #expect(
        try text("Sources/rooms/main.swift", in: files).contains("addLoginRoutes(to: &routes)")
      )
    }
    #expect(try text("Sources/rooms/RoomsViewModel.swift", in: counter).contains("increaseLater"))
    #expect(try text("README.md", in: rooms).contains(#"--json '{"ask":9}'"#))
    #expect(!rooms.contains { $0.path.contains("ViewModel") })
    #expect(try !text("Makefile", in: package("rooms").files()).contains(".keys"))
  }

  @Test func `gets UIFusion from a URL, so that another machine can build it`() throws {
    let address = "https://example.org/acme/UIFusion-fork.git"
    let name = try #require(PackageName("shop"))
    let template = PackageTemplate(
      name: name,
      source: try #require(PackageSource(address: address))
    )
    #expect(
      template.manifest.contains(
        ".package(url: \"\(address)\", .upToNextMinor(from: \"\(uifusionVersion)\"))"
      )
    )
    #expect(
      template.manifest.contains(
        #".product(name: "UIFusionKit", package: "UIFusion-fork")"#
      )
    )
    for text in [template.manifest, template.makefile, template.dockerfile, template.readme] {
      #expect(!text.contains("UIFUSION ") && !text.contains("/uifusion") && !text.contains(root))
    }
  }

  @Test(arguments: [
    "", "UIFusion", "https://", "https://example.org/a b", "https://example.org/\"", "a:$(b)",
  ])
  func `refuses any other address of UIFusion`(text: String) {
    #expect(PackageSource(address: text) == nil)
  }

  @Test func `installs and names the same C libraries as this project`() throws {
    let makefile = try String(contentsOfFile: root + "/Makefile", encoding: .utf8)
    #expect(makefile.contains("PACKAGES := \(PackageTemplate.libraries) \\\n"))
    let files = try package("shop").files()
    for path in ["Makefile", "Dockerfile", "README.md"] {
      let file = try #require(files.first { $0.path == path })
      #expect(
        String(decoding: file.bytes, as: UTF8.self).contains(PackageTemplate.libraries),
        "\(path)"
      )
    }
  }

  @Test func `is built for a container with pinned versions and a cache, without our tests`()
    throws
  {
    let name = try #require(PackageName("shop"))
    let template = PackageTemplate(name: name, source: .folder("/uifusion"))
    #expect(template.dockerignore.contains("\n!Package.resolved\n"))
    #expect(template.dockerfile.contains("RUN --mount=type=cache,"))
    #expect(template.dockerfile.contains("COPY --from=uifusion Sources Sources\n"))
    #expect(!template.dockerfile.contains("COPY --from=uifusion Tests"))
    #expect(template.readme.contains("\ndocker run --publish 8080:8080 "))
    #expect(template.manifest.contains("traits: []"))
  }

  @Test func `keeps sessions for 30 days, and says so`() throws {
    let template = PackageTemplate(
      name: try #require(PackageName("shop")),
      source: .folder("/uifusion")
    )
    #expect(template.makefile.contains("\nexport UIFUSION_SESSION_TTL ?= 2592000\n"))
    #expect(template.dockerfile.contains("\nENV UIFUSION_SESSION_TTL=2592000\n"))
    #expect(template.readme.contains("for 30 days"))
    #expect(template.page.contains("for 30 days"))
  }

  @Test func `is written readable and not executable`() throws {
    try inFolder {
      _ = try package("shop").write(in: parent)
      let path = parent + "/shop/Public/index.html"
      let mode = try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? Int
      #expect(try #require(mode) & 0o400 != 0 && #require(mode) & 0o111 == 0)
    }
  }

  @Test func `never overwrites a folder or a file`() throws {
    try inFolder {
      let (folder, file) = (parent + "/shop", parent + "/bazaar")
      try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
      try Data("mine".utf8).write(to: URL(filePath: file))
      #expect(
        complaint { _ = try package("shop").write(in: parent) }
          == "\(folder) exists already: give another name, or another --path"
      )
      #expect(complaint { _ = try package("bazaar").write(in: parent) }?.contains(file) == true)
      #expect(try FileManager.default.contentsOfDirectory(atPath: folder).isEmpty)
      #expect(try text("bazaar") == "mine")
    }
  }

  @Test func `names the folder that cannot be created`() {
    #expect(
      complaint { _ = try package("shop").write(in: "/nowhere") }
        == "cannot create /nowhere/shop: No such file or directory"
    )
  }

  @Test func `finds the checkout from which the program was built`() throws {
    let source = root + "/Sources/Service/UIFusionTools/New/Checkout.swift"
    #expect(try Checkout(at: nil, source: source).path == root)
    #expect(
      complaint {
        _ = try Checkout(at: nil, source: "/gone/Sources/Service/UIFusionTools/New/A.swift")
      }
        == "UIFusion is no longer at /gone, where this program was built: "
        + "give its folder with --uifusion PATH"
    )
  }

  @Test func `refuses a folder that is no checkout of UIFusion`() throws {
    for folder in ["/nowhere", "/", "\(root)/Sources"] {
      #expect(
        complaint { _ = try Checkout(at: folder) }
          == "\(folder) is not the folder of UIFusion: give the one with its Package.swift"
      )
    }
  }

  @Test func `refuses a checkout whose path needs quoting`() throws {
    try inFolder {
      let odd = parent + "/it's $here"
      try FileManager.default.createSymbolicLink(atPath: odd, withDestinationPath: root)
      #expect(try Checkout(at: odd).path == root)
      try FileManager.default.removeItem(atPath: odd)
      try FileManager.default.createDirectory(atPath: odd, withIntermediateDirectories: true)
      try FileManager.default.copyItem(
        atPath: root + "/Package.swift",
        toPath: odd + "/Package.swift"
      )
      #expect(complaint { _ = try Checkout(at: odd) }?.contains("contains characters") == true)
    }
  }

  /// Returns the error's text; nil if nothing is thrown.
  private func complaint(_ body: () throws -> Void) -> String? {
    do {
      try body()
      return nil
    } catch {
      return "\(error)"
    }
  }
}
