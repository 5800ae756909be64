extension PackageTemplate {
  /// The beginning of a page, up to its body.
  func head(_ title: String, script: String, leadingToLogin leads: Bool = false) -> String {
    """
    <!doctype html>
    <html lang="en"\(leads ? loginAttribute : "")>
    <head>
      <meta charset="utf-8">
      <meta name="viewport" content="width=device-width, initial-scale=1">
      <title>\(title)</title>
      <link rel="icon" href="favicon.svg" type="image/svg+xml">
      <link rel="stylesheet" href="style.css">
      <script type="module" src="\(script)"></script>
    </head>
    """
  }

  /// The bar at the top of a page that shows a session.
  var bar: String {
    """
    <header class="bar">
        <a class="brand" href="./"><img src="favicon.svg" alt="" width="28" height="28">\(name)</a>
        <p role="status" class="connection" data-text="$.status">Loading …</p>\(logoutButton)
      </header>
    """
  }

  /// `Public/index.html`; the page needs no script, since UIFusion's client reads its attributes.
  var page: String {
    """
    \(head("\(name)", script: "uifusion.js", leadingToLogin: true))
    <body data-view-model="\(name)">
      \(bar)

      <main class="page">
        <div class="intro">
          <h1>\(name)</h1>
          <p class="lead">Counts: at once, or a second later.</p>
        </div>

        <section class="sheet" aria-label="Counter">
          <output class="value" aria-label="Count" data-text="count"></output>
          <div class="actions">
            <button class="primary" data-input="increase">Increase</button>
            <button class="primary" data-input="increaseLater" data-busy="isWaiting">Increase later</button>
            <button data-input="reset">Reset</button>
          </div>
        </section>

        <details>
          <summary>Drive it from a terminal</summary>
          <ol class="commands">
            <li>Send an Input <code data-text="curl --json '&quot;increase&quot;' {$origin}/sessions/{$id}/inputs"></code></li>
            <li>Follow its State <code data-text="curl -N {$origin}/sessions/{$id}/events"></code></li>
          </ol>
          <pre class="code" data-text="$snapshot | json"></pre>
        </details>

        <p class="hint">Your count is kept for \(Self.daysKept) days after your last visit.</p>
      </main>
    </body>
    </html>

    """
  }

  /// `README.md`.
  var readme: String {
    """
    # \(name)

    A view model, hosted by UIFusion.

    ```sh
    make run     # http://127.0.0.1:8080; ARGS="--port 9000" adds flags
    make dev     # the same, and builds and restarts when a file changes
    make test
    make image   # for a container, which this runs:
    docker run --publish 8080:8080 --volume \(name.image):/data \(name.image)
    ```

    It needs Swift 6.3 and, on Debian 12, the C libraries below, which `make run` installs:
    `\(Self.libraries)`.

    | to change | look at |
    | --- | --- |
    \(behaviour)
    | the names under which they are hosted | `Sources/\(name)/main.swift` |
    | the tests | `Tests/\(name.tests)` |
    | the page | `Public/index.html`; UIFusion's article Bindings explains its attributes |
    | the style | `Public/style.css`, a copy of UIFusion's |

    \(commands)

    Sessions are stored in `.uifusion`. One that nobody uses for \(Self.daysKept) days expires:
    `UIFUSION_SESSION_TTL`, in seconds, in the `Makefile` and the `Dockerfile`; the page says so, too.

    \(whereUIFusionIs) Its README tells more.

    """
  }

  private var behaviour: String {
    let model =
      parts.contains(.shared)
      ? """
      | the house, which all share | `Sources/\(name)/House.swift` |
      | a person's desk | `Sources/\(name)/Desk.swift` |
      """
      : "| the behaviour | `Sources/\(name)/\(name.viewModel).swift` |"
    guard parts.contains(.login) else { return model }
    return model + "\n| who may sign in | `Sources/\(name)/Logins.swift` |"
  }

  private var commands: String {
    guard parts.contains(.login) else { return counterCommands }
    let viewModel = parts.contains(.shared) ? "desk" : "\(name)"
    let (input, about) =
      parts.contains(.shared)
      ? (#"{"ask":9}"#, "the house's answer") : (#""increaseLater""#, "a second later")
    return """
      ```sh
      url=http://127.0.0.1:8080
      curl -c jar $url/login --json '{"name":"ada","password":"try"}'
      session=$url$(curl -si -b jar $url/sessions -H 'Content-Type: application/json' \\
        -d '{"viewModel":"\(viewModel)","name":"desk"}' | sed -n 's/\\r$//; s/^[Ll]ocation: //p')
      curl -b jar $session/inputs -H 'Prefer: wait=10' --json '\(input)'    # \(about)
      ```

      Replace the people in `Logins.swift` before anybody else can reach the program. `.keys`, which `make run` makes, signs
      logins. A container needs it, too, readable by its user 10001: `--env UIFUSION_AUTH_COOKIES=FILE`.
      """
  }

  private var counterCommands: String {
    """
    ```sh
    url=http://127.0.0.1:8080
    session=$url$(curl -si $url/sessions -H 'Content-Type: application/json' \\
      -d '{"viewModel":"\(name)"}' | sed -n 's/\\r$//; s/^[Ll]ocation: //p')
    curl -i $session/inputs -H 'Content-Type: application/json' -H 'Prefer: return=minimal' -d '"increase"'
    curl $url/view-models/\(name) -H 'Accept: text/markdown'
    ```

    Without `Prefer: return=minimal` the answer has the whole State.
    """
  }

  private var whereUIFusionIs: String {
    switch source {
    case .folder(let path):
      """
      UIFusion is at `\(path)`: `Package.swift` and the `Makefile` have the path. On another machine give its
      path there: `make run UIFUSION=PATH`.
      """
    case .address(let address): "UIFusion is from \(address): `Package.swift` has its version."
    }
  }
}
