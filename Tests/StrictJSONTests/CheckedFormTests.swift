import Foundation
import FusionStrictJSON
import Testing

/// Values of Foundation that end the process, or read foreign memory, when they are decoded unchecked.
struct `A value of Foundation` {
  private func expect<T: Codable & Equatable>(
    _ type: T.Type,
    takes valid: [T],
    refuses invalid: [String]
  ) throws {
    for value in valid {
      let text = try encoded(value)
      #expect(try decode(T.self, text) == value)
      #expect(try decodeInput([T].self, "[\(text)]") == [value])
    }
    for text in invalid {
      let faults = [
        failure { () throws(JSONError) in try decode([T].self, "[\(text)]") },
        failure { () throws(JSONError) in try decodeInput([String: T?].self, #"{"a":\#(text)}"#) },
      ]
      #expect(faults.allSatisfy { $0?.kind == .typeMismatch }, "\(text)")
    }
  }

  @Test func `is a set of indexes with ranges from 0`() throws {
    func set(_ location: String, _ length: String) -> String {
      #"{"indexes":[{"location":1,"length":2},{"location":\#(location),"length":\#(length)}]}"#
    }
    try expect(
      IndexSet.self,
      takes: [IndexSet(), IndexSet(integersIn: 3..<9), IndexSet([1, 5, 1 << 60])],
      refuses: [
        set("0", "-1"), set("-3", "2"), set("\(Int.max)", "1"), set("1", "\(Int.max)"),
        set("\(Int.min)", "\(Int.min)"), set("1e30", "1"), set("null", "1"), "[]", "{}",
        #"{"indexes":{}}"#,
      ]
    )
  }

  @Test func `is a set of characters with whole planes`() throws {
    func set(_ bitmap: Data) -> String { #"{"bitmap":"\#(bitmap.base64EncodedString())"}"# }
    let plane = Data(count: 8192)
    try expect(
      CharacterSet.self,
      takes: [CharacterSet(charactersIn: "aé"), CharacterSet(charactersIn: "a🤖𝔸"), .newlines],
      refuses: [0, 1, 8191, 8193, 8196, 16384].map { set(Data(count: $0)) }
        + [
          set(plane + [0] + plane), set(plane + [17] + plane), set(plane + [255] + plane),
          set(plane + [1] + plane + [1] + plane), #"{"bitmap":"?"}"#, "{}", "3",
        ]
    )
  }

  @Test func `is a URL's components with a valid scheme and port`() throws {
    try expect(
      URLComponents.self,
      takes: [
        URLComponents(), try #require(URLComponents(string: "svn+ssh://u:p@h:0/a?b#c")),
        try #require(URLComponents(string: "//[::1]:65536/%20")),
      ],
      refuses: [
        #"{"port":-1,"path":""}"#, #"{"port":\#(Int.min),"path":"/"}"#, #"{"port":1.5,"path":""}"#,
        #"{"scheme":"1 2","path":""}"#, #"{"scheme":"","path":""}"#, #"{"scheme":"ä","path":""}"#,
        #"{"scheme":"a\u0000","path":""}"#,
      ]
    )
  }

  @Test func `that is not among them is decoded as before`() throws {
    let zone = try #require(TimeZone(identifier: "Europe/Berlin"))
    try expect(TimeZone.self, takes: [zone], refuses: [#"{"identifier":"nowhere"}"#])
    try expect(
      DateInterval.self,
      takes: [DateInterval(start: Date(timeIntervalSince1970: 0), duration: 5)],
      refuses: ["[]"]
    )
  }
}
