// Makes the client's two modules of esbuild's output. The second one imports nothing, so that it works with whatever instance of
// the first one loads it: the first one hands over the symbols that both need. Both contain one build number, the digest of
// their text and the login module's; they load each other and the login module by that number.

import { createHash } from 'node:crypto';
import { readFileSync, writeFileSync } from 'node:fs';

const folder = process.argv[2];
const read = (name) => readFileSync(`${folder}/${name}.js`, 'utf8');
const listed = (list) => list.split(',').map((item) => item.split(' as '));

const exported = /export\{([^}]*)\};\s*$/;
const imported = /import\{([^}]*)\}from"\.\/uifusion\.js";/g;
// The exports for pages, by their names in the first module.
const shown = new Map(listed(/import\{([^}]*)\}/.exec(read('client'))[1]).map((names) => [names[0], names.at(-1)]));
let rest = read('uifusion-more');
const needed = [...rest.matchAll(imported)].flatMap(([, list]) => listed(list));
rest = `export function install([${needed.map((names) => names.at(-1))}]){${rest.replace(/import"\.\/uifusion\.js";/, '').replace(imported, '')}}\n`
  + 'globalThis.document||install([]);';
const client = read('uifusion').replace(exported, (_, list) => {
  const names = listed(list).map(([own, name = own]) => [own, name]);
  const kept = names.filter(([, name]) => shown.has(name)).map(([own, name]) => `${own} as ${shown.get(name)}`);
  const shared = needed.map(([name]) => names.find(([, its]) => its === name)[0]);
  return `shared.push(${shared});export{${kept}};`;
});
const build = createHash('sha256').update(client + rest + readFileSync('Login/main.js')).digest('hex').slice(0, 12);
writeFileSync(`${folder}/uifusion.js`, client.replace('{{build}}', build));
writeFileSync(`${folder}/uifusion-more.js`, `export const build='${build}';${rest}`);
