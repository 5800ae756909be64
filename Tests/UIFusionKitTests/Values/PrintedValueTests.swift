import Foundation
import Testing
import UIFusionKit

private struct Plan: Equatable {
  enum Step: Equatable { case none, due(Date) }
  var due = Date(timeIntervalSince1970: 1_772_366_400)
  var step = Step.none
  var page = URL(string: "https://example.org/a")
  var price = Decimal(string: "12.5")
  var id = UUID(uuidString: "0F1E2D3C-4B5A-6978-8796-A5B4C3D2E1F0")
  var pause = Duration.seconds(2)
  var photo = Data([1, 2])
  var days: [Date] = []
}

struct `A printed value` {
  private func difference(_ change: (inout Plan) -> Void) -> String {
    var plan = Plan()
    change(&plan)
    return StateDifference(from: Plan(), to: plan).description
  }

  @Test func `of a library is shown as it is written, not by its parts`() {
    #expect(
      difference {
        $0.due += 0.5
        $0.step = .due(Date(timeIntervalSince1970: 0))
        $0.page = URL(string: "https://example.org/b")
        $0.price = 13
        $0.id = UUID(uuidString: "00000000-4B5A-6978-8796-A5B4C3D2E1F0")
        $0.pause = .seconds(1.5)
        $0.photo = Data([1, 3])
        $0.days = [Date(timeIntervalSince1970: 60)]
      } == """
        due: 2026-03-01T12:00:00.000Z → 2026-03-01T12:00:00.500Z
        step: none → due(1970-01-01T00:00:00.000Z)
        page: https://example.org/a → https://example.org/b
        price: 12.5 → 13
        id: 0F1E2D3C-4B5A-6978-8796-A5B4C3D2E1F0 → 00000000-4B5A-6978-8796-A5B4C3D2E1F0
        pause: 2.0 seconds → 1.5 seconds
        photo: 2 bytes AQI= → 2 bytes AQM=
        days[0]: nothing → 1970-01-01T00:01:00.000Z
        """
    )
    #expect(difference { $0.photo = Data([9, 1, 2])[1...] } == "")
  }

  @Test(arguments: [1e-6, 4e-4, -1e-7] as [TimeInterval])
  func `of a date differs where dates are written alike`(shift: TimeInterval) {
    #expect(difference { $0.due += shift }.contains("s since 1970)"))
  }

  @Test(arguments: [Date.distantPast.timeIntervalSince1970 - 1e12, 1e18, .infinity, -.infinity])
  func `shows any date`(seconds: TimeInterval) {
    let text = difference { $0.due = Date(timeIntervalSince1970: seconds) }
    #expect(text.hasSuffix("→ \(seconds) s since 1970"), "\(text)")
  }
}
