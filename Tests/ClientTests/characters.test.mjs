// `has` and `count` see texts as Swift does: `contains`, ignoring case as Foundation does, and `count`.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { expression } from '../../Sources/API/WebClient/Expressions/expressions.js';
import { random } from './fields.mjs';

const gives = (source, state) => expression(source)({ session: { state } });
const has = (text, part) => gives('text has part', { text, part });

/** What Swift says: `text.range(of: part, options: .caseInsensitive) != nil`. */
const said = [
  ['İstanbul', 'i', false], ['İstanbul', 'İ', true], ['ırmak', 'I', false], ['ırmak', 'i', false], ['IRMAK', 'ı', false],
  ['cafe\u0301', 'é', true], ['café', 'E\u0301', true], ['cafe\u0301', 'e', false], ['cafe\u0301', 'cafe', false], ['cafe\u0301', 'CAF', true],
  ['ΟΔΟΣΑ', 'ΟΔΟΣ', true], ['οδος', 'ΟΔΟΣ', true], ['οδοσ', 'ΟΔΟΣ', true], ['Straße', 'STRASSE', true], ['Straße', 'SS', true],
  ['ﬁne', 'FI', true], ['A', 'a\u0301', false], ['ǅ', 'ǆ', true], ['\u212A', 'k', true], ['Ⓐ', 'ⓐ', true], ['É', 'é', true], ['E\u0301', 'é', true],
];

test('a text has another one, whatever its case and composition, but not a part of a character', () => {
  for (const [text, part, isIn] of said) assert.equal(has(text, part), isIn, `${text} ${part}`);
  assert.equal(has('👨‍👩‍👧', '👨'), false);
  assert.equal(has('a\r\nb', '\r\n'), true);
});

test('each text has the empty one, itself, and its own characters in any case', () => {
  const next = random(5);
  const pieces = ['a', 'É', 'e\u0301', 'ß', 'Σ', 'ς', 'İ', 'ı', '👩🏽‍🚀', '🇩🇪', '각', '각', 'क्ष', ' ', '\r\n', 'ö\u0323', '1'];
  for (let count = 0; count < 300; count++) {
    const text = Array.from({ length: 6 }, () => pieces[Math.floor(next() * pieces.length)]).join('');
    const characters = [...new Intl.Segmenter().segment(text)].map(({ segment }) => segment);
    assert.equal(gives('text.count', { text }), characters.length);
    for (const part of ['', text, ...characters, characters.slice(1, 4).join('')]) {
      assert.equal(has(text, part), true, JSON.stringify([text, part]));
      for (const form of ['NFC', 'NFD']) assert.equal(has(text.normalize(form), part.toLowerCase()), true, JSON.stringify([text, part]));
    }
    assert.equal(gives('one is (other)', { one: text.normalize('NFD'), other: text.normalize('NFC') }), true);
  }
  assert.equal(has('', ''), true);
  assert.equal(has('', 'a'), false);
});
