// Search in the docs: sections that contain all words, those with the words in their title first.

const form = document.querySelector('.search');
const field = form.querySelector('input');
const found = document.querySelector('#found');
const article = document.querySelector('article');
const { docs } = document.body.dataset;
let sections;

form.hidden = false;
form.addEventListener('submit', (event) => {
  event.preventDefault();
  found.querySelector('a')?.click();
});
field.addEventListener('input', show);
addEventListener('keydown', (event) => {
  if (event.key === '/' && !/input|textarea/i.test(document.activeElement.tagName)) {
    event.preventDefault();
    field.focus();
  }
});

async function show() {
  sections ??= fetch(`${docs}search.json`).then((response) => response.json());
  const all = await sections;
  const words = field.value.toLowerCase().split(/\s+/).filter(Boolean);
  found.hidden = !words.length;
  article.hidden = !found.hidden;
  const title = ({ article, section }) => `${article} ${section}`.toLowerCase();
  const hits = all.filter((section) => words.every((word) => `${title(section)} ${section.text.toLowerCase()}`.includes(word)));
  const rank = (section) => words.filter((word) => title(section).includes(word)).length;
  hits.sort((a, b) => rank(b) - rank(a));
  found.replaceChildren(...(hits.length ? hits.slice(0, 20).map((hit) => row(hit, words)) : [paragraph(`Nothing has “${field.value}”.`)]));
}

function row({ page, article: name, section, id, text }, words) {
  const link = document.createElement('a');
  link.href = `${docs}${page}.html${id && `#${id}`}`;
  link.textContent = section ? `${name} · ${section}` : name;
  const at = text.lastIndexOf(' ', text.toLowerCase().indexOf(words[0]) - 60) + 1;
  const item = document.createElement('div');
  const excerpt = `${at ? '… ' : ''}${text.slice(at, at + 180)}${text.length > at + 180 ? ' …' : ''}`;
  item.append(link, paragraph(...marked(excerpt, words)));
  link.addEventListener('click', () => { // an anchor of this page
    field.value = '';
    found.hidden = true;
    article.hidden = false;
  });
  return item;
}

/** Returns a text in parts, the words among them marked. */
function marked(text, words) {
  const any = new RegExp(`(${words.map((word) => word.replace(/[^\w]/g, '\\$&')).join('|')})`, 'i');
  return text.split(any).map((part, index) => {
    if (index % 2 === 0) return part;
    const mark = document.createElement('mark');
    mark.textContent = part;
    return mark;
  });
}

function paragraph(...content) {
  const element = document.createElement('p');
  element.append(...content);
  return element;
}
