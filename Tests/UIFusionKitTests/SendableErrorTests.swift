import Foundation
import Testing
import UIFusionKit

struct `A SendableError` {
  private enum Trouble: Error { case one, two }

  private struct Overdrawn: CustomNSError {
    static let errorDomain = "bank"
    let errorCode = 7
    var errorUserInfo: [String: Any] { ["amount": 5] }
  }

  @Test func `keeps an error's description, code, domain and type name`() {
    let error = SendableError(Trouble.two)
    #expect(error.description == "two")
    #expect(error.code == 1)
    #expect(error.domain.hasPrefix("UIFusionKitTests.") && error.domain.hasSuffix(".Trouble"))
    // Swift prints the context of a private type as an address.
    #expect(!error.domain.contains("unknown context"))
    #expect(error.typeName == "Trouble")
    #expect(error.userInfo.isEmpty)
  }

  @Test func `made from a SendableError equals it`() {
    let error = SendableError(description: "x", code: 7, domain: "d", userInfo: ["a": "b"])
    #expect(SendableError(error) == error)
  }

  @Test func `has its description as localizedDescription`() {
    let error: any Error = SendableError(Trouble.one)
    #expect(error.localizedDescription == "one")
  }

  @Test func `keeps an NSError's text, code and user info`() {
    let error = SendableError(
      NSError(domain: "x", code: 3, userInfo: ["tries": 2, NSLocalizedDescriptionKey: "Too late"])
    )
    #expect(error.description == "Too late")
    #expect(error.domain == "x")
    #expect(error.code == 3)
    #expect(error.userInfo == ["tries": "2", NSLocalizedDescriptionKey: "Too late"])
  }

  @Test func `keeps a CustomNSError's code and user info`() {
    let error = SendableError(Overdrawn())
    #expect(error.domain == "bank")
    #expect(error.code == 7)
    #expect(error.userInfo == ["amount": "5"])
    #expect(error.description.contains("Overdrawn"))
  }

  @Test func `has the domain and code that a CocoaError has as an NSError`() {
    let cocoa = CocoaError(.fileNoSuchFile, userInfo: ["path": "/nope"])
    let error = SendableError(cocoa)
    #expect(error.domain == NSCocoaErrorDomain)
    #expect(error.code == CocoaError.Code.fileNoSuchFile.rawValue)
    #expect(error.userInfo == ["path": "/nope"])
    #expect(error.description == cocoa.localizedDescription)
  }

  @Test func `keeps a URLError's user info`() {
    let error = SendableError(URLError(.badURL, userInfo: ["tried": "x"]))
    #expect(error.domain == NSURLErrorDomain)
    #expect(error.code == URLError.badURL.rawValue)
    #expect(error.userInfo == ["tried": "x"])
  }

  @Test func `survives encoding and decoding`() throws {
    let error = SendableError(description: "x", code: 7, domain: "d", userInfo: ["a": "b"])
    let bytes = try JSONEncoder().encode(error)
    #expect(try JSONDecoder().decode(SendableError.self, from: bytes) == error)
  }
}
