// What the view model's rule allows the user, in expressions.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { expression } from '../../Sources/API/WebClient/Expressions/expressions.js';
import { builtIns } from '../../Sources/API/WebClient/Expressions/scopes.js';
import { inputsOf } from '../../Sources/API/WebClient/Schemas/known.js';
import { allowed, learnInputs } from '../../Sources/API/WebClient/Schemas/learning.js';

builtIns.$allowed = ({ session }) => allowed.get(session.viewModel);

const live = (viewModel) => ({ viewModel, connection: 'live', addEventListener() {}, state: {} });

async function learned(context, viewModel, denied) {
  const session = live(viewModel);
  const inputs = ['add', 'clear'].map((name) => ({ name, schema: {} }));
  context.mock.method(globalThis, 'fetch', () => Promise.resolve(Response.json({ inputs, denied })));
  learnInputs(session);
  while (!inputsOf(session)) await new Promise((resolve) => { setTimeout(resolve); });
  return (source) => expression(source)({ session, depth: 0 });
}

test('what a rule denies is false, all else is true', async (context) => {
  const value = await learned(context, 'house', { end: 'Only a host.', inputs: { clear: 'Only a host.' } });
  assert.deepEqual(['$.allowed.add', '$.allowed.clear', '$.allowed.end', '$.allowed.share', '$allowed.add'].map(value), [true, false, false, true, true]);
  assert.equal(value('not $.allowed.clear and $.allowed.add'), true);
});

test('without a rule everything is allowed', async (context) => {
  const value = await learned(context, 'free');
  assert.deepEqual(['$.allowed.clear', '$.allowed.end'].map(value), [true, true]);
});

test('until it is known, it is missing', () => {
  assert.equal(expression('$.allowed.add')({ session: live('unknown'), depth: 0 }), undefined);
});
