extension PackageTemplate {
  /// `README.md`.
  var readme: String {
    """
    # \(name)

    A view model, hosted by UIFusion.

    ```sh
    make run     # http://127.0.0.1:8080; ARGS="--port 9000" adds flags
    make dev     # the same, and builds and restarts when a file changes
    make test
    make image   # for a container
    ```

    | to change | look at |
    | --- | --- |
    | what it does | `Sources/\(name)/\(name.viewModel).swift` |
    | what is hosted, under which name | `Sources/\(name)/main.swift` |
    | how it is tested | `Tests/\(name.tests)` |
    | the page | `Public/index.html`; its attributes are told by UIFusion's Bindings, and need no script |
    | how it looks | `Public/style.css` and `controls.css`, which are UIFusion's at first |

    ```sh
    url=http://127.0.0.1:8080
    session=$url$(curl -si $url/sessions -H 'Content-Type: application/json' \\
      -d '{"viewModel":"\(name)"}' | sed -n 's/\\r$//; s/^[Ll]ocation: //p')
    curl $session/inputs -H 'Content-Type: application/json' -d '"increase"'
    curl $url/view-models/\(name) -H 'Accept: text/markdown'
    ```

    Sessions are kept in `.uifusion`. UIFusion is at `\(uifusion)`, which `Package.swift` and the `Makefile` say;
    its README tells the rest.

    """
  }
}
