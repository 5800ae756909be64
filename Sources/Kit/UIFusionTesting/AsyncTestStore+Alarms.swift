import UIFusionKit

#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif

/// Alarms: they ring when ``advance(by:)`` reaches their date, and are received like the actions of effects.
extension AsyncTestStore {
  /// Checks which alarms are set, by their ids as Swift prints them.
  ///
  /// ```swift
  /// await store.send(.remind)
  /// await store.expectAlarms(["tea": Date(timeIntervalSince1970: 180)])
  /// await store.advance(by: .seconds(180))
  /// await store.receive(.ring)
  /// ```
  public func expectAlarms(
    _ expected: [String: Date],
    fileID: String = #fileID,
    filePath: StaticString = #filePath,
    line: Int = #line,
    column: Int = #column
  ) async {
    await clock.idle()
    let alarms = await alarms
    expectedAlarms = alarms
    guard alarms != expected else { return }
    let place = IssueLocation(fileID, filePath, line, column)
    issues.record(
      "Other alarms are set than expected.\n  expected: \(list(expected))\n  set: \(list(alarms))",
      place
    )
  }

  private var alarms: [String: Date] {
    get async {
      let alarms = await engine.setAlarms
      return Dictionary(alarms.map { ("\($0.name)", $0.date) }) { first, _ in first }
    }
  }

  /// Returns the text of an issue if alarms are set that the test has not checked.
  func unexpectedAlarms() async -> String? {
    let alarms = await alarms.filter { expectedAlarms[$0.key] != $0.value }
    guard !alarms.isEmpty else { return nil }
    return "Alarms that are set at the end of the test: \(list(alarms)).\n"
      + "(Use expectAlarms(_:), let time go on until they ring, or cancel them.)"
  }

  private func list(_ alarms: [String: Date]) -> String {
    let texts = alarms.sorted { $0.key < $1.key }.map { alarm in
      "\(alarm.key) at \(PrintedValue.text(of: alarm.value))"
    }
    return texts.isEmpty ? "none" : texts.joined(separator: ", ")
  }
}
