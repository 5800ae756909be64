// Controls (buttons, links, forms and fields that send): when they may send, and how they show that they do.

import { expression, template } from '../Expressions/expressions.js';
import { happening } from '../Expressions/happening.js';
import { inputExpression } from '../Expressions/inputs.js';
import { fieldRead, isOver } from '../Expressions/scopes.js';
import { isYes } from '../Expressions/truth.js';
import { eventsOf, isDated, isField, isTextField, resetField } from '../Fields/values.js';
import { setAttribute } from '../Page/attribute.js';
import { controlOf, controls, fieldOf, wording } from '../Page/bound.js';
import { dom } from '../Page/dom.js';
import { hosts } from '../Page/hosts.js';
import { reportMistake } from '../Page/mistakes.js';
import { named, own } from '../Page/prefix.js';
import { inputsOf, schemasLoaded } from '../Schemas/known.js';
import { later, loadMore } from '../Service/more.js';
import { valueAt } from '../Session/paths.js';

const doubleClick = 500; // milliseconds
let clicks = 0; // the newest click's count: 2 for a double click
globalThis.addEventListener?.('click', ({ detail }) => { clicks = detail; }, true);
// A form's field may stand outside of the form.
globalThis.addEventListener?.('input', ({ target }) => controls.get(target.form ?? dom(target).closest?.('form'))?.renew(), true);
const pendings = new WeakMap(); // how many Inputs of an element have no response yet

// The form has the Input, not its button.
const isSubmitting = (element) => {
  const { localName, type } = dom(element);
  return localName === 'button' && type === 'submit' && element.closest(named('form[data-input]'));
};

export const input = {
  name: 'input',
  isFor: (element) => ['input', 'enabled', 'busy'].some((name) => name in own(element)) || isSubmitting(element),

  plan(element, plan, event) {
    const [isForm, isText] = [dom(element).localName === 'form', isTextField(element)];
    const busy = plan.read(element, 'data-busy', expression);
    plan.uses.push({ up: 0, path: '$connection' });
    return {
      input: plan.read(element, `data-input${event && `-${event}`}`, inputExpression, true),
      enabled: plan.read(element, 'data-enabled', expression),
      busy,
      question: plan.read(element, 'data-confirm', template, true),
      isForm,
      isText,
      // Sends once for a click, however long the response takes.
      isOnce: (isForm || busy) && !('repeat' in own(element)),
      event,
    };
  },

  apply(element, scope, planned) {
    const { input, enabled, busy, question, isForm, isText, isOnce } = planned;
    const its = dom(element);
    const dataset = own(element);
    const { localName } = its;
    const control = { input, isOff: true, isUnfit, currentInput, send, act, renew: () => { isAnew = true; } };
    const { session } = scope;
    let pending = 0;
    let sentAt = -doubleClick;
    let isAsking = false; // or waiting for schemas
    let isAnew = false; // whether the user has typed since the last Input

    function currentInput() {
      try {
        return input(scope, element, valueAt(inputsOf(session), `${input.inputName}.properties`));
      } catch ({ message }) {
        return reportMistake(element, 'data-input', message);
      }
    }

    function mark(change, submitter) {
      pending += change;
      let row = !isText && scope.depth && element; // but not a row in which the user types
      while (row && hosts.get(row)?.scope !== scope) row = dom(row).parentElement;
      for (const marked of new Set([element, submitter, row])) {
        if (!marked) continue;
        pendings.set(marked, (pendings.get(marked) ?? 0) + change);
        dom(marked).toggleAttribute(named('data-pending'), pendings.get(marked) > 0);
      }
    }

    const readFields = () => (input?.uses ?? []).map((use) => fieldRead(use, element) ?? (use.path === '$value' && element)).filter(Boolean);

    /** Whether the type of a value that the user has entered is not known yet. */
    function isUnfit() {
      return Boolean(input) && !inputsOf(session) && readFields().some((field) => isDated(field) || /^(select|radio)/.test(field.type));
    }

    /** Makes the browser's checks of the fields, as it does for a form; text is sent as it is typed, and State says whether it is valid. */
    const isValid = () => isForm || readFields().every((field) => isTextField(field)
      || /^(checkbox|radio)$/.test(field.type) || (dom(field).reportValidity?.() ?? true));

    /** Resolves to whether the service has accepted the Input, once State contains it; to null if it was withdrawn. */
    async function send(sent, replaces = dataset.replaces, submitter) {
      mark(1, submitter);
      const isSecret = its.matches('[type=password], :has([type=password])');
      const words = wording.ofControl(submitter ?? element, sent, readFields(), isSecret);
      const options = { replaces: replaces && `${replaces} ${input.at?.(scope)}`, isSecret, words };
      const refusal = await session.send(sent, options).then(() => null, (refusal) => refusal);
      mark(-1, submitter);
      // In a deleted row, the notice of that stays.
      if (isOver(scope)) return !refusal;
      if (refusal) {
        later('showRefusal', element, input, refusal);
        loadMore();
      } else later('clearRefusal', element);
      return refusal?.isWithdrawn ? null : !refusal;
    }

    /** Resolves to whether the user confirms the Input, and it may still be sent. */
    async function isConfirmed(asker) {
      const text = question(scope, element);
      isAsking = true;
      const { confirmed = confirm } = await loadMore();
      const isWanted = await confirmed(text, asker);
      isAsking = false;
      return isWanted && !control.isOff && !isOver(scope);
    }

    /** Sends the Input, if it may be sent, once its types are known. Resolves to `{done}`, the promise of `send`. */
    async function act(submitter) {
      if (isAsking) return undefined;
      if (!control.isOff && isUnfit()) {
        const { event } = happening;
        isAsking = true;
        mark(1, submitter);
        while (isUnfit() && !isOver(scope)) await schemasLoaded();
        mark(-1, submitter);
        isAsking = false;
        happening.event = event;
      }
      const file = readFields().find((field) => field.type === 'file' && field.value);
      if (file) {
        later('complain', file, 'A file cannot be sent here yet.');
        return void loadMore();
      }
      // Without fields, each click counts but the second of a double click.
      const mayBeDouble = isForm && (clicks > 1 || [...its.elements].some(isField));
      const isAgain = isOnce && !isAnew && (pending || mayBeDouble && performance.now() < sentAt + doubleClick);
      const current = control.isOff || isAgain || !isValid() ? undefined : currentInput();
      if (current === undefined) {
        // A form without the browser's checks, or a text that is no number.
        return void readFields().find((field) => dom(field).validity?.badInput || dom(field).validity?.customError)?.reportValidity();
      }
      if (question && !await isConfirmed(submitter ?? element)) return undefined;
      sentAt = performance.now();
      isAnew = false;
      return { done: send(current, undefined, submitter) };
    }

    async function submit(event) {
      event.preventDefault();
      happening.event = event;
      const sent = await act(event.submitter);
      if (!sent) return;
      its.closest('[popover]')?.hidePopover();
      const fields = [...its.elements].filter((field) => isField(field) && !field.matches(named('[type=hidden], [data-keep]')) && !controlOf(field)?.input);
      for (const field of fields) fieldOf(field)?.follow(() => sent.done);
      const restore = fields.filter((field) => !fieldOf(field)).map(resetField);
      if (await sent.done) return;
      // Puts back what the user has entered, as it was refused.
      for (const undo of restore) undo();
    }

    function react(event) {
      happening.event = event;
      if (event.type === 'drop') event.preventDefault();
      if (localName === 'a') {
        if (event.ctrlKey || event.metaKey || event.shiftKey) return;
        event.preventDefault();
      }
      if (!planned.event && fieldOf(element)) fieldOf(element).send();
      else act();
    }

    if (!planned.event) controls.set(element, control);
    if (dataset.on?.includes('drop')) its.addEventListener('dragover', (event) => event.preventDefault());
    if (!isForm && !isText) {
      its.addEventListener('click', (event) => {
        if (!control.isOff) return;
        event.preventDefault();
        event.stopImmediatePropagation();
      }, true);
    }
    const isQuiet = !input || isText && !dataset.on || localName === 'dialog'; // see value.js and open.js
    if (planned.event) its.addEventListener(planned.event, react);
    else for (const event of isQuiet ? [] : eventsOf(element)) its.addEventListener(event, isForm ? submit : react);

    return () => {
      const inputs = inputsOf(session);
      if (input && inputs && !planned.isChecked) later('checkInput', element, input, inputs, scope);
      planned.isChecked ||= inputs; // once for all rows
      const form = input ? undefined : controlOf(its.form);
      const isBusy = busy && isYes(busy(scope, element));
      const isDisabled = enabled && !isYes(enabled(scope, element));
      const isBound = input || enabled || form;
      control.isOff = Boolean(isDisabled || isOver(scope) || form?.isOff || isBound && (session.state === null || session.connection === 'ended')
        || isBusy && !isText && !('repeat' in dataset) && (isBound || its.matches('button, a, input, select, summary')));
      if (isText && enabled) element.readOnly = isDisabled;
      if (busy) setAttribute(element, 'aria-busy', isBusy && 'true');
      if (isBound && !isForm && localName !== 'dialog') setAttribute(element, 'aria-disabled', control.isOff && 'true');
    };
  },
};

/** `data-input-dblclick="open(id: .id)"`: one more Input of an element, for another event. */
export const inputOnEvent = { ...input, name: 'input-', isFor: 0 };
