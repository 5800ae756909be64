extension PackageTemplate {
  /// `Public/index.js`.
  var script: String {
    """
    // Draws State, sends Inputs, and decides nothing itself.

    import { Session } from './session.js';
    import { showSession } from './panel.js';

    const session = new Session('\(name)');
    const count = document.querySelector('#count');
    const badge = document.querySelector('#is-waiting');

    session.addEventListener('state', () => {
      count.textContent = session.state.count;
      badge.hidden = !session.state.isWaiting;
    });

    for (const button of document.querySelectorAll('[data-input]')) {
      button.addEventListener('click', () => session.send(button.dataset.input));
    }

    showSession(session, ['increase', 'increaseLater']);
    session.open();

    """
  }
}
