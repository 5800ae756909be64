// The modules of the client, by what they import: each can be read after those that it needs.

import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('../../Sources/API/WebClient/', import.meta.url));
const names = readdirSync(root, { recursive: true });
const files = names.filter((name) => name.endsWith('.js') && !name.startsWith('Bundle/'));

/** Returns the modules that a text imports, as paths from the root; a page's `../uifusion.js` is none of them. */
function importsIn(text, file) {
  const found = [...text.matchAll(/^(?:import|export)\b[^;]*?['"](\.[^'"]*)['"];/gm)].map(([, path]) => path);
  return found.map((path) => relative('', join(dirname(file), path))).filter((path) => path !== 'uifusion.js');
}

/** Returns a ring of modules, each of which imports the next; undefined if there is none. */
function ringIn(graph) {
  const done = new Set();
  const visit = (file, way) => {
    if (way.includes(file)) return [...way.slice(way.indexOf(file)), file];
    if (done.has(file)) return undefined;
    let ring;
    for (const next of graph.get(file)) ring ??= visit(next, [...way, file]);
    done.add(file);
    return ring;
  };
  return [...graph.keys()].map((file) => visit(file, [])).find(Boolean);
}

const graph = new Map(files.map((file) => [file, importsIn(readFileSync(join(root, file), 'utf8'), file)]));

test('a ring of imports is found, however long it is', () => {
  assert.equal(ringIn(new Map([['a', ['b', 'c']], ['b', ['c']], ['c', []]])), undefined);
  assert.deepEqual(ringIn(new Map([['a', ['b']], ['b', ['c']], ['c', ['d']], ['d', ['b']]])), ['b', 'c', 'd', 'b']);
  assert.deepEqual(ringIn(new Map([['a', ['a']]])), ['a', 'a']);
});

test('imports are found on one line or several, with names or without', () => {
  const text = "import './a.js';\nimport {\n  one,\n  other,\n} from '../b.js';\nexport { c } from './c.js';\nimport { page } from '../uifusion.js';\n";
  assert.deepEqual(importsIn(text, 'Folder/file.js'), ['Folder/a.js', 'b.js', 'Folder/c.js']);
});

test('every import of a module is a module of the client', () => {
  assert.ok(files.length > 60);
  assert.deepEqual([...graph].flatMap(([file, imports]) => imports.filter((path) => !graph.has(path)).map((path) => `${file}: ${path}`)), []);
});

test('no module imports itself by way of others', () => assert.equal(ringIn(graph)?.join(' → '), undefined));

test('no folder has more than 16 modules', () => {
  const folders = new Set(files.map((file) => dirname(file)));
  assert.deepEqual([...folders].filter((folder) => files.filter((file) => dirname(file) === folder).length > 16), []);
});
