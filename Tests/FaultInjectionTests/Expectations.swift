import Foundation
import FusionFaultInjection
import Testing

func expectNone(_ violations: [Violation], _ comment: Comment? = nil) {
  #expect(violations.isEmpty, comment)
}

/// Calls a function with the path of a folder that does not exist yet, and removes it afterwards.
func withFolder<Value>(_ body: (String) async throws -> Value) async throws -> Value {
  let path = URL.temporaryDirectory.appending(path: "uifusion-faults-\(UUID().uuidString)").path
  defer { try? FileManager.default.removeItem(atPath: path) }
  return try await body(path)
}
