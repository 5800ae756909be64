// Two-way fields: they show State, and send what the user enters. The user's entry is shown until State contains it.

import { expression } from '../Expressions/expressions.js';
import { isOver, localOf } from '../Expressions/scopes.js';
import { isSame, textOf } from '../Expressions/truth.js';
import { fieldValue, held, isTextField, showValue } from '../Fields/values.js';
import { controlOf, fields } from '../Page/bound.js';
import { dom } from '../Page/dom.js';
import { own } from '../Page/prefix.js';
import { navigation } from '../Service/timing.js';

const unsent = new Map(); // fields that hold back text, and their sessions

/** Sends the text that a session's fields hold back, before any other Input. */
export function flushFields(session) {
  for (const [field, its] of unsent) if (its === session) field.flush();
}

/** The text that the service writes in place of a secret. */
const secret = '••••';

export const value = {
  name: 'value',
  isLate: true,
  isFor(element) {
    const { value, input } = own(element);
    return value !== undefined || input !== undefined && isTextField(element);
  },

  plan(element, plan) {
    const { input, on, debounce = 150 } = own(element);
    const shown = plan.read(element, 'data-value', expression);
    const local = shown && input === undefined && localOf(shown);
    return { shown, local, isSpeaking: input !== undefined && on === undefined && isTextField(element), input, on, debounce };
  },

  apply(element, scope, { shown, local, isSpeaking, input, on, debounce }) {
    const field = { flush, send, follow, propose, isOurs: () => isDirty || onTheWay > 0 || isComposing, isUnsent: () => isDirty, local };
    const { session } = scope;
    let [isDirty, isComposing, onTheWay] = [false, false, 0];
    let unchanged; // the text before the input method began, if State had it
    let refused; // [State's value when the service refused that of the field]
    let since; // when the oldest unsent key was typed
    let timer;

    const control = () => controlOf(element);
    const current = () => shown && shown(scope, element);

    function typed() {
      const value = fieldValue(element);
      if (local) return isComposing || local.change(scope, { [shown.path]: Number.isNaN(value) ? null : value });
      isDirty = true;
      refused = undefined;
      clearTimeout(timer);
      if (!isSpeaking || isComposing) return;
      unsent.set(field, session);
      since ??= performance.now();
      const pause = Number(debounce);
      const rest = Math.min(pause, since + Math.max(pause, 1000) - performance.now());
      // Not by a timer, as an input method may begin the next word at once.
      if (rest > 0) timer = setTimeout(flush, rest);
      else flush();
    }

    /** Sends the text; not while an input method composes it, nor before there is a State. */
    function flush() {
      clearTimeout(timer);
      timer = undefined;
      if (!unsent.has(field) || isComposing) return;
      if (isOver(scope)) return settle();
      const sent = control().isOff || control().isUnfit() ? undefined : control().currentInput();
      if (sent === undefined) return undefined;
      return follow(() => control().send(sent, own(element).replaces ?? `${input} ${scope.place}`));
    }

    /** Sends the value of a field that is not sent while the user types. */
    async function send() {
      isDirty = true;
      // An invalid number is not sent; a required checkbox may be unticked for now.
      if (!/^(checkbox|radio)$/.test(element.type) && element.reportValidity?.() === false) return undefined;
      const sent = await control().act();
      if (!sent) return forget();
      field.address?.wasChosen();
      return follow(() => sent.done);
    }

    /** Keeps the field's value until `begin`, which sends it, is done. */
    async function follow(begin) {
      settle();
      onTheWay++;
      if (await begin() === false) refused = [current()];
      onTheWay--;
      update();
    }

    function settle() {
      isDirty = false;
      since = undefined;
      clearTimeout(timer);
      unsent.delete(field);
    }

    /** Goes back to State's value. */
    function forget() {
      settle();
      update();
    }

    /** Returns the field, and for a radio button the fields of its group. */
    function peers() {
      const { type, name, form } = element;
      const buttons = type === 'radio' ? (dom(form) ?? document).querySelectorAll('input[type=radio]') : [];
      const group = [...buttons].filter((other) => other.name === name && other.form === form);
      return [field, ...group.map((other) => fields.get(other) ?? field)];
    }

    function update() {
      if (isOver(scope)) return; // a field of a deleted row stays as it is
      if (!timer) flush(); // what was typed before there was a State
      if (!shown || session.state === null) return;
      const value = current();
      const isHeld = peers().some(({ isOurs }) => isOurs());
      if (!isHeld) field.address?.follow(session, value);
      if (element === document.activeElement && element.validity?.badInput) return; // such as half a date
      if (isHeld || refused && isSame(refused[0], value)) return;
      refused = undefined;
      if (value !== secret) showValue(element, value);
    }

    /** Enters and sends a value as if the user had, if the field can hold it. */
    function propose(text) {
      showValue(element, element.type === 'checkbox' ? text === 'true' : text);
      if (textOf(fieldValue(element)) !== held(element, text) && element.type !== 'checkbox') return forget();
      if (!isSpeaking) return send();
      typed();
      return flush();
    }

    fields.set(element, field);
    const listen = (type, react) => element.addEventListener(type, react);
    listen('input', typed);
    listen('compositionstart', () => {
      isComposing = true;
      unchanged = isDirty ? undefined : element.value;
    });
    listen('compositionend', () => {
      isComposing = false;
      // Cancelled: sending the old text would undo what another user wrote meanwhile.
      if (element.value === unchanged) forget();
      else typed();
    });
    // A custom element may have no other event.
    listen('change', local ? typed : () => {
      flush();
      if (isSpeaking && element.validity?.customError) element.reportValidity();
    });
    if (!element.matches(':defined')) customElements.whenDefined(element.localName).then(update, () => {});
    listen('blur', flush);
    listen('keydown', ({ key, isComposing }) => {
      if (key === 'Enter' && !isComposing) flush();
      if (key !== 'Escape' || on !== 'change') return;
      forget();
      element.blur();
    });
    dom(element.form)?.addEventListener('reset', () => setTimeout(forget));
    // Sends what was typed before the field was bound, but not what the browser restores after a reload.
    if (isTextField(element) && element.value !== element.defaultValue && (navigation === 'navigate' || element === document.activeElement)) typed();
    return update;
  },
};
