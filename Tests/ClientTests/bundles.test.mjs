// The bundles that the program carries are those of the current sources.

import assert from 'node:assert/strict';
import { execFile, execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { gzipSync } from 'node:zlib';

const root = fileURLToPath(new URL('../..', import.meta.url));
const skip = ['esbuild', 'terser'].some(isMissing) && 'esbuild and terser are missing: make client installs them';

function isMissing(tool) {
  try {
    execFileSync('which', [tool]);
    return false;
  } catch {
    return true;
  }
}

/** Bundles a module as `make client` does. */
async function bundle(...variables) {
  return (await promisify(execFile)('make', ['-s', 'bundle', ...variables], { cwd: root })).stdout;
}

for (const file of ['uifusion', 'uifusion-more', 'uifusion-gestures', 'uifusion-login', 'console']) {
  test(`${file}.js is built from its current sources`, { skip }, async () => {
    const carried = readFileSync(`${root}/Sources/API/WebClient/Bundle/${file}.js`, 'utf8');
    assert.ok(await bundle(`FILE=${file}`) === carried, 'run make client');
  });
}

test('the client is even smaller without bindings', { skip }, async () => {
  const core = await bundle('FILE=core', 'ENTRY=Session/session.js');
  assert.ok(gzipSync(core, { level: 9 }).length <= 7900);
});
