/// A page that the service creates for people; all such pages look alike and have a link to the front page.
package struct ServicePage {
  let title: String
  /// The sentence for people who do not know the service.
  let sentence: String
  /// The rest, as HTML.
  let details: String

  package init(title: String, sentence: String, details: String) {
    (self.title, self.sentence, self.details) = (title, sentence, details)
  }

  /// Returns the page; `basePath` is the path below which clients find the service.
  package func html(below basePath: String) -> [UInt8] {
    Array(
      """
      <!doctype html>
      <html lang="en">
      <head>
        <meta charset="utf-8">
        <meta name="viewport" content="width=device-width, initial-scale=1">
        <title>\(escaped(title))</title>
        <link rel="icon" href="\(basePath)/problems/icon.svg" type="image/svg+xml">
        <link rel="stylesheet" href="\(basePath)/problems/style.css">
      </head>
      <body>
        <nav><a href="\(basePath)/">Home</a> <a href="\(basePath)/problems">All problems</a></nav>
        <main>
          <h1>\(escaped(title))</h1>
          <p class="lead">\(escaped(sentence))</p>
          \(details)
        </main>
      </body>
      </html>

      """.utf8
    )
  }

  /// The files that all these pages need, by name: a front end need not provide them.
  package static let files = ["style.css": style, "icon.svg": icon]

  private static let icon = StaticFile(
    contentType: .svg,
    Array(
      """
      <svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32">
        <circle cx="12" cy="16" r="10" fill="#e5532d"/>
        <circle cx="20" cy="16" r="10" fill="#6b7a99"/>
        <path d="M16 6.83a10 10 0 0 1 0 18.34a10 10 0 0 1 0-18.34z" fill="#ffe3d3"/>
      </svg>

      """.utf8
    )
  )

  private static let style = StaticFile(
    contentType: .css,
    Array(
      """
      :root {
        color-scheme: light dark;
        --soft: light-dark(#5a5c64, #a6a8b0);
        --accent: light-dark(#b83a17, #ff8a66);
        background: light-dark(#f6f6f3, #131418);
        color: light-dark(#1b1c20, #ededea);
        font: 1.0625rem/1.55 system-ui, sans-serif;
      }
      body { max-width: 42rem; margin: 0 auto; padding: 1rem; overflow-wrap: break-word; }
      nav { display: flex; flex-wrap: wrap; gap: 0 1.5rem; }
      nav a { padding-block: 0.625rem; }
      a { color: var(--accent); text-underline-offset: 0.2em; }
      :focus-visible { outline: 3px solid var(--accent); outline-offset: 3px; }
      h1 { font: 600 min(2rem, 15vw)/1.15 Palatino, "Palatino Linotype", serif; margin-block: 2rem 0.5rem; }
      h2 { font-size: 1rem; margin-block: 1.5rem 0; }
      p { margin-block: 0.25rem; }
      ul { margin-block: 1rem; padding: 0; list-style: none; }
      li { padding-block: 0.25rem; }
      li a + a { margin-inline-start: 1rem; }
      .lead { font-size: 1.125rem; }
      code { color: var(--soft); font: 0.875rem/1.6 ui-monospace, monospace; direction: ltr; unicode-bidi: isolate; }

      """.utf8
    )
  )
}

/// Returns a text escaped for HTML.
package func escaped(_ text: String) -> String {
  text.replacing("&", with: "&amp;").replacing("<", with: "&lt;")
}
