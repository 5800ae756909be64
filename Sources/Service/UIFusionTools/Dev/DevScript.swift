/// What `dev` adds to each page.
enum DevScript {
  static let name = "uifusion-dev.js"
  /// What it asks for once a second: `{"error":…,"copies":N}`, where the error is null after a build
  /// that succeeded.
  static let status = "uifusion-dev.json"
  /// The end of a page; a browser takes it for a part of the body.
  static let tag = "\n<script type=\"module\" src=\"/\(name)\"></script>\n"

  static let text = """
    // Only while `dev` runs: shows what a build complains of, and loads the page anew when it has changed.

    const sheet = document.createElement('pre');
    sheet.hidden = true;
    sheet.setAttribute('role', 'alert');
    Object.assign(sheet.style, {
      position: 'fixed', zIndex: 1000, inset: 'auto 0 0', maxHeight: '60vh', margin: 0, padding: '1rem',
      overflow: 'auto', whiteSpace: 'pre-wrap', font: '14px/1.5 monospace',
      color: '#fff', background: '#8c1d18',
    });
    document.body.append(sheet);
    let known = null;

    async function look() {
      try {
        const { error, copies } = await (await fetch('/\(status)', { cache: 'no-store' })).json();
        if (known !== null && known !== copies) location.reload();
        known = copies;
        if (sheet.textContent !== (error ?? '')) sheet.textContent = error ?? '';
        sheet.hidden = !error;
      } catch { /* The program is being started again. */ }
      setTimeout(look, 1000);
    }

    look();

    """
}
