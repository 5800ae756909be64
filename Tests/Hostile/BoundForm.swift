import Foundation
import FusionFaultInjection
import UIFusionKit

/// A view model whose State a page shows in fields, and sends back: see `Tests/PageTests/hostile`.
struct BoundForm: ViewModelProtocol {
  enum Input: Codable, Sendable {
    case draw(seed: UInt64, zone: String)
    case save(
      id: Int,
      length: Int8?,
      value: Double,
      version: Float?,
      constructor: Decimal,
      method: Decimal?,
      action: Bool,
      checked: Bool?,
      name: String,
      data: String?,
      elements: String,
      target: Date,
      origin: Date?,
      attributes: CalendarDay,
      index: CalendarDay?,
      children: Shade,
      parent: Shade?,
      dataset: [Shade],
      options: Set<Int>
    )
  }
  typealias Action = Input

  struct State: Codable, Equatable, Sendable {
    var entry: Entry?
    var draws = 0
    var saves = 0
    /// The clock of the zone at `entry.target`, as Foundation has it.
    var clock = ""
  }

  /// A value of every kind that has a field.
  ///
  /// The names are also those of members of forms and of JavaScript's objects.
  struct Entry: Codable, Equatable, Sendable {
    var id: Int
    var length: Int8?
    var value: Double
    var version: Float?
    var constructor: Decimal
    var method: Decimal?
    var action: Bool
    var checked: Bool?
    var name: String
    var data: String?
    var elements: String
    var target: Date
    var origin: Date?
    var attributes: CalendarDay
    var index: CalendarDay?
    var children: Shade
    var parent: Shade?
    var dataset: [Shade]
    var options: Set<Int>
  }

  enum Shade: String, Codable, CaseIterable, Sendable { case red, blue = "é", black = "__proto__" }

  var state = State()

  func transform(_ input: Input) -> [Input] { [input] }

  mutating func perform(_ action: Input) {
    switch action {
    case .draw(let seed, let zone):
      var generator = Generator(seed: seed)
      let entry = Entry(&generator)
      state.entry = entry
      state.draws += 1
      state.clock = TimeZone(identifier: zone)?.clock(at: entry.target) ?? ""
    case .save(
      let id,
      let length,
      let value,
      let version,
      let constructor,
      let method,
      let action,
      let checked,
      let name,
      let data,
      let elements,
      let target,
      let origin,
      let attributes,
      let index,
      let children,
      let parent,
      let dataset,
      let options
    ):
      state.entry = Entry(
        id: id,
        length: length,
        value: value,
        version: version,
        constructor: constructor,
        method: method,
        action: action,
        checked: checked,
        name: name,
        data: data,
        elements: elements,
        target: target,
        origin: origin,
        attributes: attributes,
        index: index,
        children: children,
        parent: parent,
        dataset: dataset,
        options: options
      )
      state.saves += 1
    }
  }
}

extension BoundForm.Entry {
  fileprivate init(_ generator: inout Generator) {
    let shades = BoundForm.Shade.allCases
    // JavaScript has no larger integers.
    let whole = [0, 1, -1, 1 << 53, -1 << 53, Int.random(in: -999...999, using: &generator)]
    id = generator.element(of: whole)
    length = .draw(&generator, size: 0)
    value = .draw(&generator, size: 0)
    version = .draw(&generator, size: 0)
    constructor = .draw(&generator, size: 0)
    method = .draw(&generator, size: 0)
    action = .draw(&generator, size: 0)
    checked = .draw(&generator, size: 0)
    name = .draw(&generator, size: 2)
    data = .draw(&generator, size: 2)
    elements = .draw(&generator, size: 2)
    target = .draw(&generator, size: 0)
    origin = .draw(&generator, size: 0)
    attributes = .draw(&generator, size: 0)
    index = .draw(&generator, size: 0)
    children = generator.element(of: shades)
    parent = generator.isChosen(percent: 25) ? nil : generator.element(of: shades)
    let count = Int.random(in: 0...3, using: &generator)
    dataset = (0..<count).map { _ in generator.element(of: shades) }
    options = Set((0..<count).map { _ in Int.random(in: -1...5, using: &generator) })
  }
}

extension CalendarDay: Drawn {
  static func draw(_ generator: inout Generator, size: Int) -> CalendarDay {
    let days = [
      0, -719_528, 2_932_896, 11_016, .random(in: -719_528...2_932_896, using: &generator),
    ]
    return generator.element(of: days.compactMap { CalendarDay(daysSince1970: $0) })
  }
}

extension TimeZone {
  /// Returns what a clock in the zone shows at a moment, such as `2026-10-25T02:30:00.000`; empty outside of the years
  /// that a ``CalendarDay`` has.
  fileprivate func clock(at moment: Date) -> String {
    let milliseconds = Int((moment.timeIntervalSince1970 * 1_000).rounded())
    let shown = milliseconds + 1_000 * secondsFromGMT(for: moment)
    let dayLength = 86_400_000
    let time = (shown % dayLength + dayLength) % dayLength
    guard let day = CalendarDay(daysSince1970: (shown - time) / dayLength) else { return "" }
    let parts = [time / 3_600_000, time / 60_000 % 60, time / 1_000 % 60, time % 1_000]
    return "\(day)T" + String(format: "%02d:%02d:%02d.%03d", parts[0], parts[1], parts[2], parts[3])
  }
}
