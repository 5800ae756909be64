import Foundation
import Testing

struct `A program with another name` {
  @Test func `uses its name in messages and in its help`() throws {
    let folder = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    let shop = folder.appending(path: "shop")
    try FileManager.default.createSymbolicLink(at: shop, withDestinationURL: executable)
    let unknown = try run(shop.path, ["srve"])
    #expect(unknown.status == 2)
    #expect(unknown.errors == "shop: unknown command srve: see shop --help\n")
    let unready = try run(shop.path, ["health", "--host", "256.0.0.1"])
    #expect(unready.status == 1)
    #expect(
      unready.errors
        == "shop: the service at 256.0.0.1, port 8080, is not ready or does not answer\n"
    )
    let help = try run(shop.path, ["--help"])
    #expect(help.status == 0 && help.output.hasPrefix("shop: hosts view models over HTTP"))
    #expect(help.output.contains("\nshop serve [flags] "))
  }
}
