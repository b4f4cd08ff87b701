// What the page is made of: elements, shapes, times, copying, and the one way to the server.
// Names come from the cluster: they enter as text nodes only, and no text is ever read as HTML.

/** What the server has said: its status, and the rows of its pools by id. */
export const model = { status: null, rows: new Map() };

export const $ = id => document.getElementById(id);

/** Signs that turn the direction of what follows. */
const TURNS = /[\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/g;
/** What the server sends. Some texts are written by tenants: they must not turn the page's own words around. */
export const parse = text => JSON.parse(text, (name, value) => typeof value === 'string' ? value.replace(TURNS, ' ') : value);

/** Everything that is fetched comes through here. The token is in this variable alone: it goes with the page. */
let token = '';
export async function get(path, signal) {
  const answer = await fetch(path, { signal, cache: 'no-store', headers: token ? { Authorization: `Bearer ${token}` } : {} });
  if (!answer.ok) throw Object.assign(new Error(`HTTP ${answer.status}`), { status: answer.status, said: answer.status === 401 || answer.status === 403 ? await answer.text() : '' });
  return answer;
}
/** Asks for one, until the dialog is closed. */
export function askToken(why) {
  $('sign-in-why').textContent = `The server says: ${why.trim()}.`;
  $('sign-in').showModal();
  return new Promise(resolve => $('sign-in').addEventListener('close', () => {
    token = $('token').value.trim();
    $('token').value = '';
    resolve();
  }, { once: true }));
}

// ---------------------------------------------------------------- elements

const SVG = new Set(['svg', 'path', 'line', 'rect']);
const flat = children => children.flat(Infinity).filter(child => child != null && child !== false && child !== '');

/** An element. Attributes that are null or false are left out; `style` is an object, set through CSSOM as the CSP asks. */
export function el(tag, attributes, ...children) {
  const made = SVG.has(tag) ? document.createElementNS('http://www.w3.org/2000/svg', tag) : document.createElement(tag);
  for (const [name, value] of Object.entries(attributes ?? {})) {
    if (value == null || value === false) continue;
    if (name === 'style') for (const [property, to] of Object.entries(value)) made.style.setProperty(property, to);
    else made.setAttribute(name, value === true ? '' : value);
  }
  made.append(...flat(children));
  return made;
}
export const dim = (...children) => el('span', { class: 'dim' }, children);
export const faint = (...children) => el('span', { class: 'faint' }, children);
export const mono = text => el('span', { class: 'mono' }, text);
/** Of the server. A browser follows a link without the token: where one is needed, the path is text. */
export const link = path => token ? mono(path) : el('a', { href: path }, path);

/** Makes an element like another one and keeps what is the same: focus, selection and open parts survive. */
export function become(old, made) {
  for (const { name, value } of [...made.attributes]) {
    if (name !== 'style' && name !== 'open' && old.getAttribute(name) !== value) old.setAttribute(name, value);
  }
  for (const { name } of [...old.attributes]) {
    if (name !== 'style' && name !== 'open' && !made.hasAttribute(name)) old.removeAttribute(name);
  }
  if (old.style.cssText !== made.style.cssText) old.style.cssText = made.style.cssText;
  fill(old, ...made.childNodes);
}

/** Gives an element these children. A child with `data-key` is found again by it, any other by its place. */
export function fill(parent, ...children) {
  const wanted = flat(children).map(child => child instanceof Node ? child : document.createTextNode(child));
  const keys = new Set(wanted.map(child => child.dataset?.key).filter(Boolean)), known = new Map();
  for (const child of [...parent.children]) {
    if (child.dataset.key) if (keys.has(child.dataset.key)) known.set(child.dataset.key, child); else child.remove();
  }
  const focus = document.activeElement;
  let place = parent.firstChild;
  for (const made of wanted) {
    const key = made.dataset?.key, old = key ? known.get(key) : place;
    if (old && old.nodeName === made.nodeName && old.dataset?.key === key) {
      known.delete(key);
      if (old !== place) parent.insertBefore(old, place); else place = place.nextSibling;
      if (old.nodeType !== Node.TEXT_NODE) become(old, made); else if (old.data !== made.data) old.data = made.data;
    } else parent.insertBefore(made, place);
  }
  while (place) { const next = place.nextSibling; place.remove(); place = next; }
  if (focus !== document.activeElement && focus?.isConnected) focus.focus({ preventScroll: true });
}

// ---------------------------------------------------------------- shapes: each tone has a shape and a word besides its colour

const SHAPES = {
  check: 'M2.8 8.4 6.4 12l6.9-7.6', minus: 'M3.2 8h9.6', down: 'M8 2.4v11M3.6 9 8 13.4 12.4 9', arrow: 'M2.4 8h11M9 3.6 13.4 8 9 12.4',
  crossed: 'M2 5.4h11.2l-3-3M14 10.6H2.8l3 3', clock: 'M14.3 8A6.3 6.3 0 1 1 1.7 8a6.3 6.3 0 0 1 12.6 0zM8 4.4V8l2.5 1.6',
  pause: 'M14.3 8A6.3 6.3 0 1 1 1.7 8a6.3 6.3 0 0 1 12.6 0zM6.3 5.7v4.6M9.7 5.7v4.6', lock: 'M3.4 7.3h9.2v6.3H3.4zM5.3 7.3V5a2.7 2.7 0 0 1 5.4 0v2.3',
  stop: 'M5.4 1.9h5.2l3.5 3.5v5.2l-3.5 3.5H5.4l-3.5-3.5V5.4zM5 8h6', dots: 'M3 8h.01M8 8h.01M13 8h.01', dashed: 'M8 1.6 14.4 8 8 14.4 1.6 8z',
  pen: 'M2.6 13.4l.7-3.1 7.7-7.7 2.4 2.4-7.7 7.7zM9.3 4.3l2.4 2.4', alert: 'M8 1.9 14.9 13.9H1.1z', mark: 'M8 6.3v3.5M8 11.9v.01',
};
/** The shape of each state of the API. */
const STATES = {
  Idle: 'check', Gathering: 'dots', Parked: 'pause', Braked: 'stop', Waiting: 'clock', Reading: 'arrow', Writing: 'arrow', Failed: 'alert',
  Postponed: 'crossed', Stopped: 'minus', Held: 'lock', Paused: 'pause', OptedOut: 'minus',
};
export function icon(shape, tone = '') {
  const lines = (shape === 'alert' ? ['alert', 'mark'] : [shape]).map(name => el('path', { d: SHAPES[name] }));
  return el('svg', { class: `icon ${shape} ${tone}`, viewBox: '0 0 16 16', 'aria-hidden': 'true' }, lines);
}
export const behind = row => row.cause != null && row.state !== 'OptedOut';
export const shapeOf = row => row.tone === 'need' ? 'alert' : row.state === 'Idle' && behind(row) ? 'dashed' : STATES[row.state] ?? 'clock';

// ---------------------------------------------------------------- times: the server's clock, not that of this machine

const MONTHS = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec'];
const UNITS = { s: 1000, min: 60000, h: 3600000, d: 86400000 };
export const time = { utc: true, ahead: Date.now() - performance.now(), stopped: null, known: false };

/** The server's time in ms. It stands still while the connection is lost. */
export const now = () => time.stopped ?? performance.now() + time.ahead;

/** Takes the server's time from a line: the least delayed line is right, unless a clock has jumped. */
export function setClock(iso) {
  const ahead = Date.parse(iso) - performance.now();
  if (!time.known || ahead > time.ahead || time.ahead - ahead > 1000) Object.assign(time, { ahead, known: true });
}
const two = number => String(number).padStart(2, '0');

/** A time of day, with its day if that is not today; as UTC or local. `parts` 2 leaves the seconds out. */
export function clockText(at, parts = 3) {
  const shift = time.utc ? 0 : -60000 * new Date(at).getTimezoneOffset(), date = new Date(new Date(at).getTime() + shift);
  const text = [date.getUTCHours(), date.getUTCMinutes(), date.getUTCSeconds()].slice(0, parts).map(two).join(':');
  if (Math.abs(date - shift - now()) < 18 * UNITS.h) return text;
  return `${date.getUTCDate()} ${MONTHS[date.getUTCMonth()]}, ${text.slice(0, 5)}`;
}
export const zone = () => time.utc ? ' UTC' : '';

/** A duration to the second: 18 s, 4:12 min, 3 h 46 min, 3 d 2 h. */
export function span(ms) {
  const s = Math.max(0, Math.ceil(ms / 1000));
  if (s < 100) return `${s} s`;
  if (s < 3600) return `${Math.floor(s / 60)}:${two(s % 60)} min`;
  return s < 172800 ? `${Math.floor(s / 3600)} h ${two(Math.floor(s % 3600 / 60))} min` : `${Math.floor(s / 86400)} d ${Math.floor(s % 86400 / 3600)} h`;
}
/** A duration that is in general short: 17 ms, 1.4 s, 26 s. */
export const brief = ms => ms >= 100000 ? span(ms) : ms < 950 ? `${Math.round(ms)} ms` : `${(ms / 1000).toFixed(ms < 9950 ? 1 : 0)} s`;
/** A duration in one unit: 26 s, 42 min, 10 h, 2 d. */
function rough(ms) {
  const unit = ms < 100000 ? 's' : ms < 90 * UNITS.min ? 'min' : ms < 2 * UNITS.d ? 'h' : 'd';
  return `${Math.max(0, Math.floor(ms / UNITS[unit]))} ${unit}`;
}
const before = (exactness, word) => exactness === 'latest' ? 'within ' : exactness === 'estimate' ? `${word}about ` : word;

/** What a countdown says before and at its number. At zero it says so, and then by how much it is late. */
function countdown(left, words, after) {
  return left > 0 ? [words, span(left) + after] : left > -3000 ? ['', 'due'] : ['late by ', span(-left)];
}
/** Brings the text of a `time` element up to date. */
export function refresh(e) {
  if (!e.dataset.kind) return;
  const away = Date.parse(e.dateTime) - now(), set = (node, text) => { if (node.data !== text) node.data = text; };
  if (e.dataset.kind === 'age') {
    if (e.className.includes('since')) e.classList.toggle('late', away < -UNITS.min);
    return set(e.firstChild, rough(-away));
  }
  const [words, number] = countdown(away, e.dataset.before, e.dataset.after);
  if (e.dataset.kind === 'left') return set(e.firstChild, words + number);
  set(e.firstChild.firstChild, words || '\u200b');
  set(e.lastChild, number);
}
function timeElement(at, attributes, ...children) {
  const made = el('time', { datetime: at, title: clockText(at) + zone(), ...attributes }, children);
  refresh(made);
  return made;
}
/** A countdown. An estimate says "about", a latest time "within". */
export const left = (at, exactness, word = '', after = '') =>
  timeElement(at, { 'data-kind': 'left', 'data-before': before(exactness, word), 'data-after': after }, document.createTextNode(''));
/** A countdown whose first words are small. */
export const bigLeft = (at, exactness) =>
  timeElement(at, { 'data-kind': 'big', 'data-before': before(exactness, ''), 'data-after': '' }, el('small', {}, '\u200b'), document.createTextNode(' '));
export const age = (at, css) => timeElement(at, { 'data-kind': 'age', class: css }, document.createTextNode(' '));
/** A time that stands. */
export const moment = (at, parts) => el('time', { datetime: at }, clockText(at, parts));

// ---------------------------------------------------------------- words and copying

const NUMBERS = new Intl.NumberFormat('en');
export const count = number => NUMBERS.format(number);
export const plural = (number, one) => `${count(number)} ${one}${number === 1 ? '' : 's'}`;
export const poolLink = id => '#pool=' + id.split('/').map(encodeURIComponent).join('/');
export const filterLink = text => '#filter=' + encodeURIComponent(text);
/** A text as a sentence, whether or not its end is there. */
export const sentence = text => text && (/[.!?:]$/.test(text) ? text : `${text}.`) + ' ';
export const say = text => { $('live').textContent = text; };

export const copyButton = (text, label = 'Copy', what = '') =>
  el('button', { type: 'button', class: 'button', 'data-copy': text, 'aria-label': what && `${label} ${what}` }, label);
/** A command for a POSIX shell: each value in it is one word, which the shell does not interpret, and a terminal neither. */
export const sh = (texts, ...values) => String.raw({ raw: texts }, ...values.map(value => {
  const text = String(value).replace(/\p{Cc}/gu, '?');
  return /^[\w./:@%+,-]+$/.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`;
}));
export const command = (text, what) => el('div', { class: 'command' }, el('pre', { tabindex: 0 }, text), copyButton(text, 'Copy', what));

/** What is missing, and the commands that a person needs, as the server gives them. */
export const fixes = (missing, fix = []) => (missing || fix.length > 0) && el('div', { class: 'fix' },
  missing && el('p', {}, dim('Missing: '), el('code', {}, missing.action), missing.scope && [dim(' at '), el('span', { title: missing.scope }, missing.scope.split('/').at(-1))],
    missing.identity && dim(', for the identity ', missing.identity), missing.objectId && dim(', object id ', missing.objectId)),
  el('ol', {}, fix.map(step => el('li', {}, el('p', {}, step.text), step.command && command(step.command, 'this command')))));

/** The page about a cause's alert, a link if the server knows where it can be read. */
export const runbook = ({ alert, runbookUrl }) => alert && el('p', { class: 'small' }, 'Runbook: ',
  runbookUrl ? el('a', { href: runbookUrl, rel: 'noreferrer' }, alert) : `docs/runbook/${alert}.md`);

const labels = new WeakMap();

/** Copies a text and says for a moment in the button whether that went well. */
export async function copy(button, text) {
  const done = await Promise.resolve(navigator.clipboard?.writeText(text).then(() => 'Copied')).catch(() => null) ?? 'Not copied';
  if (!labels.has(button)) labels.set(button, button.textContent);
  say(button.textContent = done);
  setTimeout(() => { button.textContent = labels.get(button); }, 1500);
}
