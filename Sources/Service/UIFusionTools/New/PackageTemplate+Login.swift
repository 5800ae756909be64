/// The files of a package whose people sign in.
extension PackageTemplate {
  /// `Sources/NAME/Logins.swift`.
  var logins: String {
    """
    import UIFusionKit
    import UIFusionServer

    /// The name and password of somebody who signs in.
    struct LoginForm: Decodable {
      let name: String
      let password: String

      /// The person; nil if the name or the password is wrong.
      var person: Identity? { password == "try" ? people[name.lowercased()] : nil }
    }

    /// The people who may sign in, to try it out.
    ///
    /// Replace them by your own: everybody can read this password.
    private let people = [
      "ada": Identity(id: "ada", name: "Ada"),
      "bob": Identity(id: "bob", name: "Bob"),
      "eve": Identity(id: "eve", name: "Eve", roles: ["host"]),
    ]

    /// Adds the routes of the page that signs people in, and of the button that signs them out.
    func addLoginRoutes(to routes: inout Routes) {
      routes.post("/login") { request in
        guard let person = try request.decode(as: LoginForm.self).person else {
          throw HTTPError(401, "The name or the password is wrong.")
        }
        var response = Response(204)
        response.logIn(person, for: .seconds(8 * 3600))
        return response
      }
      routes.post("/logout") { _ in
        var response = Response(303, headers: ["Location": "/login.html"])
        response.logOut()
        return response
      }
    }

    """
  }

  /// `Tests/NAMETests/LoginTests.swift`.
  var loginTests: String {
    """
    import Testing

    @testable import \(name.module)

    struct LoginTests {
      @Test func `people sign in with their name and password`() {
        #expect(LoginForm(name: "Ada", password: "try").person?.id == "ada")
        #expect(LoginForm(name: "eve", password: "try").person?.roles == ["host"])
        for (name, password) in [("ada", "guess"), ("ada", ""), ("mallory", "try"), ("", "try")] {
          #expect(LoginForm(name: name, password: password).person == nil)
        }
      }
    }

    """
  }

  /// `Public/login.html`.
  var loginPage: String {
    """
    \(head("Sign in · \(name)", script: "login.js"))
    <body>
      <header class="bar">
        <a class="brand" href="./"><img src="favicon.svg" alt="" width="28" height="28">\(name)</a>
      </header>

      <main class="page">
        <h1>Sign in</h1>
        <form method="post" class="sheet stack">
          <label class="field">Name <input name="name" required autofocus autocomplete="username" autocapitalize="none"></label>
          <label class="field">Password <input type="password" name="password" required autocomplete="current-password"></label>
          <button class="primary">Sign in</button>
          <div class="says" role="alert"><p class="error" hidden></p></div>
        </form>
        <p class="hint">To try it out: ada, bob or, as a host, eve; the password is “try”.</p>
      </main>
    </body>
    </html>

    """
  }

  /// `Public/login.js`: a form sends no JSON, and the page that sent somebody here is in the address.
  var loginScript: String {
    """
    const form = document.querySelector('form');
    const refusal = document.querySelector('[role=alert] p');

    form.addEventListener('submit', async (event) => {
      event.preventDefault();
      const body = JSON.stringify(Object.fromEntries(new FormData(form)));
      const headers = { 'Content-Type': 'application/json' };
      const answer = await fetch('login', { method: 'POST', headers, body }).catch(() => undefined);
      if (answer?.ok) {
        const { searchParams, origin } = new URL(location.href);
        const back = searchParams.get('return') || '/';
        const isOurs = URL.canParse(back, origin) && new URL(back, origin).origin === origin;
        return location.replace(isOurs ? back : '/');
      }
      refusal.textContent = answer ? (await answer.json()).detail : 'The service does not answer. Try again.';
      refusal.hidden = false;
    });

    """
  }

  /// The part of the `Makefile` that makes the key by which logins are signed.
  var keysInMakefile: String {
    guard parts.contains(.login) else { return "" }
    return """

      # The key that signs logins: a new one signs everybody out.
      export UIFUSION_AUTH_COOKIES ?= .keys

      .keys:
      \t@umask 077 && od -An -N32 -tx1 /dev/urandom | tr -d ' \\n' > $@

      run dev: .keys

      """
  }

  /// The attribute by which a page leads whoever is not signed in to the login page.
  var loginAttribute: String {
    parts.contains(.login) ? #" data-login="/login.html?return=""# : ""
  }

  /// The button in a page's bar that signs somebody out, for whoever is signed in.
  var logoutButton: String {
    guard parts.contains(.login) else { return "" }
    return """

          <form method="post" action="/logout" data-show="$connection is live" hidden><button>Sign out</button></form>
      """
  }
}
