import Foundation
import FusionFaultInjection
import UIFusionKit

extension Generator {
  /// Draws a type, nested at most `depth` times.
  mutating func type(depth: Int) -> any Drawn.Type {
    guard depth > 0, !isChosen(percent: 30) else { return element(of: leaves) }
    let inner = type(depth: depth - 1)
    switch Int.random(in: 0..<7, using: &self) {
    case 0: return optional(inner)
    case 1: return array(inner)
    case 2: return set(inner)
    case 3:
      let key: any Drawn.Type = isChosen(percent: 50) ? String.self : type(depth: 0)
      return dictionary(key, inner)
    case 4: return pair(inner, type(depth: depth - 1))
    case 5: return dictionary(inner, type(depth: 0))
    default: return choice(inner, type(depth: depth - 1))
    }
  }
}

private let leaves: [any Drawn.Type] = [
  CalendarDay.self, Int.self, Int8.self, Int64.self, UInt16.self, UInt64.self, Double.self,
  Float.self, Bool.self,
  String.self, String.self, Duration.self, Date.self, Data.self, UUID.self, URL.self,
  Decimal.self, TimeZone.self, Locale.self, Calendar.self, DateComponents.self, DateInterval.self,
  IndexPath.self, PersonNameComponents.self, Color.self, Caseless.self,
  Positive.self, Range<Int>.self, ClosedRange<Date>.self, ClosedRange<String>.self,
]

/// An optional of an optional has one `null` for two values, in JSON as such: it is not drawn.
private func optional<Wrapped: Drawn>(_: Wrapped.Type) -> any Drawn.Type {
  Wrapped.self is any OptionalType.Type ? Wrapped.self : Wrapped?.self
}

private protocol OptionalType {}
extension Optional: OptionalType {}

private func array<Element: Drawn>(_: Element.Type) -> any Drawn.Type { [Element].self }

private func set<Element: Drawn>(_: Element.Type) -> any Drawn.Type { Set<Element>.self }

private func dictionary<Key: Drawn, Value: Drawn>(_: Key.Type, _: Value.Type) -> any Drawn.Type {
  [Key: Value].self
}

private func pair<First: Drawn, Second: Drawn>(_: First.Type, _: Second.Type) -> any Drawn.Type {
  Pair<First, Second>.self
}

private func choice<First: Drawn, Second: Drawn>(
  _: First.Type,
  _: Second.Type
) -> any Drawn.Type { Choice<First, Second>.self }
