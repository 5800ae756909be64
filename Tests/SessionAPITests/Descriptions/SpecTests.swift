import FusionExampleViewModels
import FusionHTTPMessages
import FusionSessions
import FusionStrictJSON
import Testing
import UIFusionKit
import UIFusionServer
import UIFusionTesting

@testable import FusionSessionAPI

struct `A view model's spec` {
  private let client = Client()

  private func json(_ path: String) async throws -> JSONTree {
    JSONTree(try await client.send(.get, path).json())
  }

  @Test(arguments: [
    (nil, "application/json"), ("application/json", "application/json"),
    ("*/*", "application/json"), ("text/markdown", "text/markdown"), ("text/*", "text/markdown"),
    ("TEXT/Markdown; q=0.5", "text/markdown"), ("text/markdown;q=0", "application/json"),
    ("text/markdown, application/json", "application/json"),
    ("text/markdown;q=0.9,application/json;q=0.8", "text/markdown"),
    ("text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8", "text/html"),
    ("text/html, text/markdown", "text/markdown"),
    ("text/html, application/json", "application/json"),
    ("*/*;q=0.1, text/markdown", "text/markdown"), ("text/*;q=0.3, */*;q=0.5", "application/json"),
    ("text/*, text/markdown;q=0.1, text/html;q=0.1, */*;q=0.5", "application/json"),
    ("image/png", "application/json"), ("text/markdown;q=x", "text/markdown"),
    (",,", "application/json"), ("", "application/json"),
  ])
  func `has the form that the client prefers`(accept: String?, type: String) async throws {
    var headers: HTTPHeaders = [:]
    headers["Accept"] = accept
    let answer = try await client.send(.get, "/view-models/counter", headers: headers)
    #expect(answer.status == 200 && answer["Vary"] == "Accept")
    let charset = type.hasPrefix("text/") ? "; charset=utf-8" : ""
    #expect(answer["Content-Type"] == type + charset)
  }

  @Test func `is embedded in its console in a form that cannot end the script element`()
    async throws
  {
    let page = try await client.send(
      .get,
      "/view-models/counter-sync",
      headers: ["Accept": "text/html"]
    ).text
    let block = try #require(page.firstMatch(of: #/id="view-model">(?<spec>[^<]*)<\/script>/#))
    let spec = try JSONDocument(Array(block.spec.utf8)).root
    #expect(spec["name"]?.string == "counter-sync" && spec["inputs"]?.count == 4)
    #expect(!page.contains("{{") && !page.contains("Stored versions"))
    for part in ["console.js", "console.css"] {
      #expect(page.contains("\"\(part)\""))
      #expect(try await client.send(.get, "/view-models/\(part)").status == 200)
    }
  }

  @Test func `has its name escaped in its console`() {
    let viewModel = HostedViewModel(
      name: "a<b>&c",
      summary: "",
      read: { _, _, _ in throw CancellationError() },
      open: { _, _ in throw CancellationError() }
    )
    let page = ViewModelSpec(viewModel, Dependencies()).console(
      page: "a<b>&c.html",
      isStored: false,
      isWatched: false
    )
    #expect(page.contains("<h1>a&lt;b>&amp;c</h1>") && !page.contains("<b>"))
    #expect(page.contains(#"<a href="../a&lt;b>&amp;c.html">"#))
  }

  @Test func `has every Input with its examples and its Actions`() async throws {
    let spec = try await json("/view-models/counter-sync")
    #expect(spec["name"] == "counter-sync" && spec["summary"] == "Counts")
    #expect(
      spec["state"]?["first"]?.text
        == #"{"value":0,"isReset":false,"showAlert":{"value":null,"pulse":0}}"#
    )
    guard case .array(let inputs)? = spec["inputs"] else {
      Issue.record("no inputs")
      return
    }
    #expect(inputs.map { $0["name"] } == ["increase", "decrease", "reset", "show"])
    #expect(inputs[0]["sentence"] == "increase 버튼 선택")
    #expect(inputs[0]["examples"] == ["increase", ["increase": [:]]])
    #expect(
      inputs[0]["actions"] == [["name": "increaseValue", "members": ["value", "isReset"]]]
    )
  }

  @Test func `has only examples that are accepted`() async throws {
    for name in ["counter", "counter-sync", "notes"] {
      let path = try await client.session(name) + "/inputs"
      guard case .array(let inputs)? = try await json("/view-models/\(name)")["inputs"] else {
        Issue.record("no inputs of \(name)")
        continue
      }
      for case .array(let examples)? in inputs.map({ $0["examples"] }) {
        #expect(!examples.isEmpty)
        for example in examples {
          let answer = try client.begin(.post, path, example.text)
          await client.clock.advance(by: .seconds(1))
          #expect(try await answer.answer.status == 200, "\(name): \(example.text)")
        }
      }
    }
  }

  @Test func `has the schema of the parameters`() async throws {
    let parameters = try await json("/view-models/notes")["parameters"]
    #expect(
      parameters?["properties"]?["owner"] == ["anyOf": [["type": "string"], ["type": "null"]]]
    )
    #expect(parameters?["additionalProperties"] == false)
    let none = try await json("/view-models/counter")["parameters"]
    #expect(none == ["type": "object", "properties": [:], "additionalProperties": false])
  }

  @Test func `is a page of Inputs, their effects and the commands that send them`() async throws {
    let answer = try await client.send(
      .get,
      "/view-models/counter-sync",
      headers: ["Accept": "text/markdown", "Host": "example.com:9000"]
    )
    #expect(
      answer.text.hasPrefix(
        """
        # counter-sync

        Counts

        **Input** 🟩 ㅤ **Action** ✴️ ㅤ **State** 🟦

        ## State

        A session begins with:

        - 🟦 `value`: `0`
        - 🟦 `isReset`: `false`
        - 🟦 `showAlert`: `{"value":null,"pulse":0}`

        ## Inputs

        Begin a session once, and send it as many Inputs as you like:

        ```sh
        url=http://example.com:9000
        session=$url$(curl -si $url/sessions -H 'Content-Type: application/json' \\
          -d '{"viewModel":"counter-sync"}' | sed -n 's/\\r$//; s/^[Ll]ocation: //p')
        ```

        ### 🟩 increase

        increase 버튼 선택 (after `"reset"`)

        - ✴️ increaseValue
            - 🟦 `value`: 값이 1 증가합니다.
            - 🟦 `isReset`: 값이 false로 설정됩니다.

        Send `"increase"` or `{"increase":{}}`:

        ```sh
        curl $session/inputs -H 'Content-Type: application/json' -d '"increase"'
        ```

        ### 🟩 decrease

        """
      )
    )
  }

  @Test func `tells each situation's Input, the Inputs before it, and the delay`() async throws {
    let client = Client { $0.host("search", summary: "Finds") { SearchViewModel(time: $0.time) } }
    let page = try await client.send(
      .get,
      "/view-models/search",
      headers: ["Accept": "text/markdown"]
    ).text
    let first = #"`{"queryChanged":"abc"}`"#
    #expect(page.contains("\n\n검색어 입력 (\(first))\n\n- ✴️ changeQuery\n"))
    #expect(page.contains(#"0.4 s after `{"queryChanged":"ab"}`)"# + "\n"))
    #expect(page.contains(#"(`{"queryChanged":""}` after \#(first))"# + "\n"))
    #expect(page.contains(#"Send \#(first) or `{"queryChanged":{"_0":"abc"}}`:"# + "\n"))

    let spec = JSONTree(try await client.send(.get, "/view-models/search").json())
    guard case .array(let inputs)? = spec["inputs"],
      case .array(let situations)? = inputs.first?["situations"]
    else {
      Issue.record("no situations")
      return
    }
    #expect(situations.map { $0["delay"] } == [.null, .number("0.2"), .number("0.4"), .null])
  }

  @Test func `counts repeated Inputs`() async throws {
    let page = try await client.send(
      .get,
      "/view-models/counter",
      headers: ["Accept": "text/markdown"]
    ).text
    #expect(page.contains("값이 10일 때 increase 버튼 선택 (after 10 × `\"increase\"`)\n"))
  }

  @Test func `masks secrets, except in the command that sends one`() async throws {
    let client = Client { $0.host("login", summary: "Logs in") { LoginViewModel(time: $0.time) } }
    let page = try await client.send(
      .get,
      "/view-models/login",
      headers: ["Accept": "text/markdown"]
    ).text
    let before = #"(after `{"emailChanged":"ada@example.com"}`, `{"passwordChanged":"••••"}`)"#
    #expect(page.contains(before))
    #expect(page.contains(#"-d '{"passwordChanged":"secret"}'"#))
    let spec = try await client.send(.get, "/view-models/login").text
    #expect(
      spec.contains(#""after":[{"emailChanged":"ada@example.com"},{"passwordChanged":"••••"}]"#)
    )
  }

  @Test func `of a view model without a plan follows from its types`() async throws {
    let headers: HTTPHeaders = ["Accept": "text/markdown", "Host": "a`b$(c)"]
    let page = try await client.send(.get, "/view-models/notes", headers: headers).text
    #expect(page.contains("url=http://127.0.0.1:8080\n"))
    #expect(
      page.contains("### 🟩 rename\n\nSend `{\"rename\":{\"from\":\"text\",\"to\":\"text\"}}`:")
    )
    #expect(!page.contains("- ✴️"))
    #expect(page.contains("\nBeside `viewModel` it may have `parameters`: `owner`, `size`.\n"))
  }
}
