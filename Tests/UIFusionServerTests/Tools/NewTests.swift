import Foundation
import Testing

extension `The tools` {
  @Test func `write a package, and say what to do next`() throws {
    defer { remove() }
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    let result = try run("new", "shop", "--path", folder)
    #expect(result.status == 0 && result.errors == "")
    #expect(result.output.contains("\n  cd '\(folder)/shop'\n  make test\n  make run "))
    let page = try String(contentsOfFile: folder + "/shop/Public/index.html", encoding: .utf8)
    #expect(page.contains("<title>shop</title>"))
    let again = try run("new", "--path=" + folder, "shop")
    #expect(again.status == 1)
    #expect(
      again.errors
        == "uifusion: \(folder)/shop exists already: give another name, or another --path\n"
    )
    let elsewhere = try run("new", "bazaar", "--path", folder, "--uifusion", folder)
    #expect(elsewhere.status == 1 && elsewhere.errors.contains("is not the folder of UIFusion"))
    #expect(!FileManager.default.fileExists(atPath: folder + "/bazaar"))
  }
}
