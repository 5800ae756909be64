// swift-format-ignore-file: OmitExplicitReturns

import UIFusionKit

// As much of SwiftUI's declarations as the README's view needs, since SwiftUI exists on Apple's systems alone.

@MainActor protocol View {
  associatedtype Body
  @ViewBuilder @MainActor var body: Body { get }
}

extension Never: View {
  var body: Never { return fatalError("a view without a body") }
}

@resultBuilder enum ViewBuilder {
  static func buildBlock<each Content: View>(
    _ content: repeat each Content
  ) -> Views<repeat each Content> {
    Views()
  }
}

struct Views<each Content: View>: View {
  var body: Never { return fatalError("a view without a body") }
}

struct Text: View {
  init(_ text: String) {}
  var body: Never { return fatalError("a view without a body") }
}

struct Button: View {
  init(_ title: String, action: @escaping @MainActor () -> Void) {}
  var body: Never { return fatalError("a view without a body") }
}

@MainActor @propertyWrapper struct State<Value> {
  let wrappedValue: Value
  init(wrappedValue: @autoclosure () -> Value) { self.wrappedValue = wrappedValue() }
}
