extension PackageTemplate {
  /// `Public/index.html`.
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
      <script type="module" src="index.js"></script>
    </head>
    <body>
      <header class="bar">
        <a class="brand" href="./"><img src="favicon.svg" alt="" width="28" height="28">\(name)</a>
        <p class="connection" id="connection" role="status" data-status="connecting">Connecting…</p>
      </header>

      <main class="columns">
        <div id="notices"></div>

        <section class="instrument" aria-labelledby="title">
          <h1 id="title" tabindex="-1">\(name)</h1>
          <output class="value" id="count" aria-live="polite">&ensp;</output>
          <p class="badges"><span class="badge" id="is-waiting" hidden>waiting</span></p>
          <div class="actions">
            <button type="button" class="primary" data-input="increase">Increase</button>
            <button type="button" class="primary" data-input="increaseLater">Increase later</button>
            <button type="button" data-input="reset">Reset</button>
          </div>
        </section>

        <section class="panel" id="session" aria-label="This session"></section>
      </main>
    </body>
    </html>

    """
  }
}
