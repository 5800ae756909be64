extension PackageTemplate {
  /// `Public/index.html`: UIFusion's client reads its attributes, so that it needs no script.
  var page: String {
    """
    <!doctype html>
    <html lang="en">
    <head>
      <meta charset="utf-8">
      <meta name="viewport" content="width=device-width, initial-scale=1">
      <title>\(name)</title>
      <link rel="icon" href="favicon.svg" type="image/svg+xml">
      <link rel="stylesheet" href="style.css">
      <link rel="stylesheet" href="controls.css">
      <script type="module" src="uifusion.js"></script>
    </head>
    <body data-view-model="\(name)">
      <header class="bar">
        <a class="brand" href="./"><img src="favicon.svg" alt="" width="28" height="28">\(name)</a>
        <p role="status" class="connection" data-text="$connection | capital">Connecting</p>
      </header>

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

        <details class="terminal">
          <summary>Drive it from a terminal</summary>
          <ol class="commands">
            <li>Send an Input <code data-text="curl --json '&quot;increase&quot;' {$origin}/sessions/{$id}/inputs"></code></li>
            <li>Follow its State <code data-text="curl -N {$origin}/sessions/{$id}/events"></code></li>
          </ol>
          <pre class="wire" data-text="$snapshot | json"></pre>
        </details>
      </main>
    </body>
    </html>

    """
  }
}
