// The pools: the list of all, of which only the rows near the window are in the document, and one pool in full.

import {
  $, age, become, behind, brief, clockText, copyButton, count, dim, el, faint, fill, fixes, runbook, get, icon, left, model, moment, mono, now, parse, plural, poolLink, say,
  sentence, shapeOf, span, time,
} from './parts.js';

// ---------------------------------------------------------------- order and filter

/** A Service without a right node comes first, then what needs a person, then what moves, what waits (held on purpose last), and what is in sync. */
const ON_PURPOSE = ['Braked', 'Held', 'Paused', 'Stopped'];
const rank = row => row.withoutBackend.length ? -1 : !behind(row) ? 9 : row.tone === 'need' ? 0 : row.tone === 'move' ? 1 : ON_PURPOSE.includes(row.state) ? 3 : 2;
const ms = (at, none) => at ? Date.parse(at) : none;
const COLUMNS = [
  ['st', 'State', row => row.sort.rank], ['name', 'Service', row => row.sort.name], ['lb', 'Load balancer', row => row.loadBalancer],
  ['nodes', 'Nodes', row => -(row.add + row.remove + row.down)], ['why', 'Why, or last change', row => row.why || '~'],
  ['next', 'Goes on', row => row.sort.until], ['age', 'Behind for', row => row.sort.since], ['last', 'Last write', row => -ms(row.lastWrite, 0)],
];
const list = { sorted: [], shown: [], words: [], only: 'all', by: COLUMNS[0], way: 1, current: null, elements: new Map(), behind: 0, begun: false, top: 0, head: '' };
const phone = matchMedia('(max-width: 719px)'), wide = matchMedia('(min-width: 1080px)');
let open = null;

/** Adds to a row what sorting and filtering need. */
function prepare(row) {
  const name = row.services[0] ?? row.pool;
  row.sort = { rank: rank(row), name: name.toLowerCase(), since: ms(row.since, Infinity), until: ms(row.until, Infinity) };
  row.text = [...row.services, row.pool, row.loadBalancer, row.label, row.why, ...row.leaving].join(' ').toLowerCase();
  return row;
}
const less = (a, b) => a < b ? -1 : a > b ? 1 : 0;
/** A total order, so that a row is found where it was put. */
function compare(a, b) {
  const key = list.by[2];
  return list.way * less(key(a), key(b)) || less(a.sort.since, b.sort.since) || less(a.sort.until, b.sort.until) || less(a.sort.name, b.sort.name) || less(a.id, b.id);
}
const LOOKS = {
  lb: (row, text) => row.loadBalancer.toLowerCase().includes(text), node: (row, text) => row.leaving.some(node => node.toLowerCase().includes(text)),
  state: (row, text) => [row.state, row.label].some(name => name.toLowerCase().replaceAll(' ', '-').includes(text)), cause: (row, text) => row.cause?.toLowerCase() === text,
};
function matches(row) {
  return (list.only === 'all' || behind(row)) && list.words.every(word => {
    const at = word.indexOf(':'), look = at > 0 && Object.hasOwn(LOOKS, word.slice(0, at)) && LOOKS[word.slice(0, at)];
    return look ? look(row, word.slice(at + 1)) : row.text.includes(word);
  });
}
/** Where a row is in a sorted array, or would be. */
function place(rows, row) {
  let from = 0, to = rows.length;
  while (from < to) { const middle = from + to >> 1; if (compare(rows[middle], row) < 0) from = middle + 1; else to = middle; }
  return from;
}
const without = (rows, row) => { const i = place(rows, row); if (rows[i]?.id === row.id) rows.splice(i, 1); };

/** Takes news of pools: a few changed rows are put in their places, and nothing is sorted anew. Says whether a row in the document has changed. */
export function take(changed, gone, whole) {
  const { rows } = model;
  let seen = false;
  if (whole) rows.clear();
  for (const id of [...gone, ...changed.map(row => row.id)]) {
    const old = rows.get(id);
    seen ||= list.elements.has(id);
    if (!old) continue;
    without(list.sorted, old);
    without(list.shown, old);
    list.behind -= behind(old);
    rows.delete(id);
  }
  for (const row of changed) {
    rows.set(row.id, prepare(row));
    if (whole) continue;
    list.behind += behind(row);
    list.sorted.splice(place(list.sorted, row), 0, row);
    if (matches(row)) list.shown.splice(place(list.shown, row), 0, row);
  }
  if (whole) { list.behind = [...rows.values()].filter(behind).length; sort(); }
  return seen;
}
function sort() {
  list.sorted = [...model.rows.values()].sort(compare);
  list.shown = list.sorted.filter(matches);
}
export const first = test => list.sorted.find(test);
export const behindCount = () => list.behind;

// ---------------------------------------------------------------- the list

const height = () => phone.matches ? 60 : open ? 54 : 34;
let asked = false;
const scrolled = () => { if (!asked) { asked = true; requestAnimationFrame(() => { asked = false; measure(); drawList(); }); } };

/** Where the list begins in the window. It is asked before a frame writes anything, as it would else be laid out twice. */
export function measure() { list.top = $('list').getBoundingClientRect().top; }

export function draw() {
  const { status } = model, shadow = status.mode === 'shadow';
  $('pools').hidden = !status.leads && !model.rows.size;
  const begins = !list.begun;
  list.begun = true;
  if (begins && phone.matches && list.behind) setOnly('behind');
  const write = (id, text) => { if ($(id).textContent !== text) $(id).textContent = text; };
  write('only-behind', `${shadow ? 'Differ' : 'Behind'} ${count(list.behind)}`);
  write('only-all', `All ${count(model.rows.size)}`);
  write('shown', `${count(list.shown.length)} of ${plural(model.rows.size, 'pool')}${status.pools.notManaged ? `, ${count(status.pools.notManaged)} not managed` : ''}`);
  drawColumns(shadow);
  drawList();
  follow();
  if (begins && open) revealOpen();
}
/** Brings the row of the open pool into sight beside it. */
function revealOpen() {
  const i = list.shown.findIndex(row => row.id === open);
  if (i >= 0 && wide.matches) { reveal(i); scrolled(); }
}
function drawColumns(shadow) {
  const shows = `${shadow} ${list.by[0]} ${list.way}`;
  if (list.head === shows) return;
  list.head = shows;
  fill($('cols'), COLUMNS.map(column => el('div', { class: column[0], role: 'columnheader', 'aria-sort': list.by === column && (list.way > 0 ? 'ascending' : 'descending') },
    el('button', { type: 'button', 'data-sort': column[0] }, column[0] === 'age' && shadow ? 'Differs for' : column[1]))));
}
/** Only the rows near the window are in the document, each at its place in a box as high as all of them. The current row is never taken out. */
function drawList() {
  const size = height(), box = $('list'), rows = list.shown, focus = document.activeElement?.closest('#list .row');
  $('pools').classList.toggle('compact', size > 34);
  if (box.style.height !== `${rows.length * size}px`) box.style.height = `${rows.length * size}px`;
  $('table').setAttribute('aria-rowcount', rows.length + 1);
  $('none').hidden = rows.length > 0 || !model.rows.size;
  const { top } = list, from = Math.max(0, Math.floor(-top / size) - 6), to = Math.min(rows.length, Math.ceil((innerHeight - top) / size) + 6);
  const current = model.rows.get(list.current), at = current ? place(rows, current) : -1, indexes = Array.from({ length: Math.max(0, to - from) }, (_, i) => from + i);
  const known = rows[at]?.id === list.current;
  if (known && at < from) indexes.unshift(at); else if (known && at >= to) indexes.push(at);
  const stop = known ? list.current : rows[from]?.id, elements = new Map();
  for (const i of indexes) {
    const row = rows[i], old = list.elements.get(row.id), e = old?.e, tab = row.id === stop;
    if (old?.row === row && old.size === size && old.tab === tab && old.current === (row.id === list.current)) {
      if (old.i !== i) { e.style.transform = `translateY(${i * size}px)`; e.setAttribute('aria-rowindex', i + 2); old.i = i; }
      elements.set(row.id, old);
      continue;
    }
    const made = rowElement(row, i, size, tab);
    if (e) become(e, made);
    elements.set(row.id, { e: e ?? made, row, i, size, tab, current: row.id === list.current });
  }
  for (const [id, { e }] of list.elements) if (!elements.has(id)) e.remove();
  list.elements = elements;
  let next = null;
  for (const { e } of [...elements.values()].reverse()) { // the row that has the focus is not moved: that would lose it
    if (e === focus) while (e.nextSibling !== next) box.insertBefore(e.nextSibling, e);
    else if (e.nextSibling !== next || e.parentNode !== box) box.insertBefore(e, next);
    next = e;
  }
  if (focus && !focus.isConnected && rows.length) focusRow(rows[Math.min(rows.length - 1, Math.max(0, focus.ariaRowIndex - 2))].id);
}
function rowElement(row, i, size, tab) {
  const current = row.id === list.current, [space, service] = row.services[0]?.split('/') ?? ['', row.pool];
  const cell = (css, attributes, ...children) => el('div', { class: css, role: 'cell', ...attributes }, children);
  return el('div', {
    class: `row${row.tone === 'need' ? ' urgent' : ''}${row.withoutBackend.length ? ' hurt' : ''}${current ? ' current' : ''}`, role: 'row', 'data-id': row.id, 'aria-rowindex': i + 2, 'aria-current': current && 'true',
    style: { transform: `translateY(${i * size}px)` },
  },
  cell(`st ${behind(row) ? row.tone : 'ok'}`, { title: `in the API: ${row.state}` }, icon(shapeOf(row)), el('span', {}, row.label)),
  cell('name', { title: row.services.join(', ') || row.pool }, el('a', { href: poolLink(row.id), tabindex: tab ? 0 : -1 }, space && el('i', {}, `${space}/`), service,
    row.services.length > 1 && faint(` +${row.services.length - 1}`), /-ipv6$/i.test(row.pool) && faint(' IPv6'))),
  cell('lb dim', { title: row.loadBalancer }, row.loadBalancer),
  cell('nodes', null, nodesText(row), deltaText(row)),
  cell('why', { title: row.why || row.last, 'data-label': row.why || row.last ? `${row.label}: ` : row.label }, row.why || (row.last && faint(row.last))),
  cell('next', null, row.until && left(row.until, row.exactness)),
  cell('age', null, row.since && age(row.since, 'since')),
  cell('last dim', null, row.lastWrite && age(row.lastWrite)));
}
/** Half of the right nodes or less is what users notice. */
function nodesText({ right, wanted }) {
  const title = right < wanted ? `${right} of the ${plural(wanted, 'right node')} are in the pool` : plural(wanted, 'node');
  return el('span', { class: right < wanted && right / wanted <= .5 ? 'few' : null, title }, right < wanted ? `${right}/${wanted}` : wanted);
}
const deltaText = row => el('span', { class: 'delta' }, row.add > 0 && el('b', { class: 'plus' }, `+${row.add} `), row.remove > 0 && el('b', { class: 'less' }, `−${row.remove} `),
  row.down > 0 && el('b', { class: 'wait' }, `${row.down} → Down`));

function focusRow(id) {
  list.current = id;
  measure();
  drawList();
  list.elements.get(id)?.e.querySelector('a').focus({ preventScroll: true });
}
/** Scrolls just so far that a row is seen. */
function reveal(i) {
  const size = height();
  if (open && wide.matches) {
    const box = $('pools'), y = $('list').offsetTop + i * size;
    if (y < box.scrollTop + 90 || y + size > box.scrollTop + box.clientHeight) box.scrollTop = y - 140;
    return;
  }
  const y = $('list').getBoundingClientRect().top + i * size, top = 44 + (phone.matches ? 96 : 80), bottom = innerHeight - size - (wide.matches ? 8 : 60);
  if (y < top) scrollBy(0, y - top); else if (y > bottom) scrollBy(0, y - bottom);
}
export function move(step, fromTop) {
  const rows = list.shown, at = fromTop ? -1 : rows.findIndex(row => row.id === list.current);
  if (!rows.length) return;
  const i = Math.min(rows.length - 1, Math.max(0, at + step));
  if (open) { history.replaceState(null, '', poolLink(rows[i].id)); show(rows[i].id); return; }
  reveal(i);
  focusRow(rows[i].id);
}
export function openCurrent() {
  if (open || !model.rows.has(list.current)) return false;
  location.hash = poolLink(list.current);
}
const filterText = () => $('find').value.trim();
export function close() {
  if (open) location.hash = filterText() ? `filter=${encodeURIComponent(filterText())}` : '';
  else if (filterText()) setFilter('');
}
function applyFilter(text) {
  if ($('find').value.trim() !== text) $('find').value = text;
  list.words = text.toLowerCase().split(/\s+/).filter(Boolean);
  list.shown = list.sorted.filter(matches);
}
export function setFilter(text) {
  applyFilter(text);
  if (!open) history.replaceState(null, '', text ? `#filter=${encodeURIComponent(text)}` : location.pathname);
  if (model.status) { draw(); say($('shown').textContent); }
}
function setOnly(only) {
  list.only = only;
  for (const radio of document.getElementsByName('only')) radio.checked = radio.value === only;
  list.shown = list.sorted.filter(matches);
}
export function toggleOnly() {
  setOnly(list.only === 'all' ? 'behind' : 'all');
  draw();
  say($('shown').textContent);
}
export function redraw() { list.elements.forEach(old => { old.row = null; }); one.drawn = null; }

/** Follows the route: a pool that is open, or the list with a filter. */
export function show(id, filter) {
  const before = open;
  open = id;
  if (!id || filter != null) { applyFilter(filter ?? ''); if (filter) setOnly('all'); }
  document.body.dataset.view = id ? 'one' : 'all';
  $('pool').hidden = !id;
  if (id !== one.id) Object.assign(one, { id, data: null, row: null, drawn: null, error: null });
  if (id) list.current = id; else fill($('pool'));
  if (!model.status) return;
  measure();
  draw();
  if (id && id !== before) {
    if (!wide.matches || !before) scrollTo(0, 0);
    revealOpen();
    if (before) say($('pool-name')?.textContent ?? '');
    $('pool-name')?.focus({ preventScroll: true });
  } else if (before && !id) {
    const i = list.shown.findIndex(row => row.id === before);
    if (i >= 0) { reveal(i); focusRow(before); }
  }
}
export function start() {
  $('find').addEventListener('input', () => { applyFilter(filterText()); if (model.status) draw(); });
  $('find').addEventListener('change', () => setFilter(filterText()));
  for (const radio of document.getElementsByName('only')) radio.addEventListener('change', () => { setOnly(radio.value); draw(); });
  $('cols').addEventListener('click', e => {
    const column = COLUMNS.find(one => one[0] === e.target.dataset.sort);
    if (!column) return;
    Object.assign(list, { way: list.by === column ? -list.way : 1, by: column });
    sort();
    draw();
  });
  $('list').addEventListener('click', e => {
    const row = e.target.closest('.row');
    if (row && !e.target.closest('a') && getSelection().isCollapsed) location.hash = poolLink(row.dataset.id);
  });
  $('list').addEventListener('focusin', e => {
    const { id } = e.target.closest('.row').dataset;
    if (id !== list.current) { list.current = id; drawList(); }
  });
  document.addEventListener('scroll', scrolled, { capture: true, passive: true });
  addEventListener('resize', () => { measure(); if (model.status) draw(); });
  const parts = new ResizeObserver(scrolled);
  for (const id of ['head', 'causes', 'banner', 'pools']) parts.observe($(id));
}

// ---------------------------------------------------------------- one pool

const one = { id: null, data: null, row: null, drawn: null, error: null, asked: -Infinity, busy: false, later: 0 };

/** Fetches the open pool anew when its row has changed, at most once a second. */
function follow() {
  if (!one.id) return;
  const row = model.rows.get(one.id), at = performance.now();
  if (row !== one.row || one.error) {
    if (!one.busy && at - one.asked > 1000) load(row, at); else if (!one.later) one.later = setTimeout(() => { one.later = 0; follow(); }, 1050);
  }
  drawOne();
}
async function load(row, at) {
  const { id } = one, [pool, lb, group] = id.split('/').reverse().map(encodeURIComponent);
  Object.assign(one, { busy: true, asked: at });
  let data = null, error = null;
  try { data = parse(await (await get(`/api/v1/pools/${lb}/${pool}${group ? `?resourceGroup=${group}` : ''}`)).text()); } catch (e) { error = e.status ?? 'none'; }
  one.busy = false;
  if (id !== one.id) { one.asked = -Infinity; return follow(); }
  if (data && data.row.id !== id) { history.replaceState(null, '', poolLink(data.row.id)); return show(data.row.id); }
  Object.assign(one, { row: error && error !== 404 ? one.row : row, error: error === 404 ? null : error, data: data ?? (error === 404 ? null : one.data), drawn: null, missing: error === 404 });
  drawOne();
}
export function tick() { if (one.id && one.data) drawFigure(); }

function drawOne() {
  const row = model.rows.get(one.id) ?? one.data?.row, shown = [one.data, row];
  if (one.drawn && one.drawn.every((part, i) => part === shown[i])) return;
  one.drawn = shown;
  const closing = el('a', { class: 'button close', href: '#', 'aria-label': 'Close, back to all pools', 'data-close': true }, 'Close ', el('kbd', {}, 'Esc'));
  if (!row) return fill($('pool'), el('div', { class: 'top' }, el('h2', { id: 'pool-name', tabindex: -1 }, `No pool ${one.id}`), closing));
  const focused = $('pool').childElementCount > 0;
  fill($('pool'), poolParts(row, one.data, closing));
  drawFigure();
  if (!focused) $('pool-name').focus({ preventScroll: true });
}
function poolParts(row, data, closing) {
  const [space, service] = row.services[0]?.split('/') ?? ['', row.pool], { cause, steps = [], write, next = [], error, facts = [] } = data ?? {};
  const id = write?.url ?? facts.find(fact => fact.name === 'Azure id')?.value, tone = behind(row) ? row.tone : 'ok';
  return [
    el('div', { class: 'top', 'data-key': 'top' }, el('div', {}, el('h2', { id: 'pool-name', tabindex: -1 }, space && el('i', {}, `${space}/`), service),
      el('p', { class: 'dim' }, 'pool ', mono(row.pool), ` on ${row.loadBalancer}, resource group ${row.resourceGroup}`)),
    id && copyButton(id, 'Copy Azure id'), copyButton(location.origin + location.pathname + poolLink(row.id), 'Copy link'), closing),
    el('div', { class: 'say', 'data-key': 'say' }, icon(shapeOf(row), tone), el('p', {}, el('b', {}, `${row.label}. `), sentence(row.why),
      row.until && ['Goes on: ', left(row.until, row.exactness, 'in '), ', at ', moment(row.until), '. '], row.since && faint('Behind for ', age(row.since), '.'),
      !row.since && row.last && ['Last change: ', row.last, row.lastWrite && ['; ', age(row.lastWrite), ' ago'], '.']),
    cause && el('p', {}, sentence(cause.title), sentence(cause.evidence)),
    cause && (cause.todo || cause.more) && el('p', {}, el('b', { class: cause.tone === 'need' && 'need' }, cause.todo), ' ', cause.more), cause && runbook(cause)),
    cause && fixes(cause.missing, cause.fix),
    steps.length > 0 && el('ol', { class: 'chain', 'data-key': 'chain', 'aria-label': 'From the Service to Azure' }, steps.map(({ step, text, state }) => {
      const stuck = state === 'stuck';
      return el('li', { class: `${state} ${stuck ? row.tone : ''}`, 'aria-current': stuck && 'step' }, icon(stuck ? shapeOf(row) : state === 'done' ? 'check' : 'dots'), el('b', {}, step), text);
    })),
    el('div', { id: 'figure', class: 'figure', 'data-key': 'figure', 'aria-hidden': 'true' }, [...($('figure')?.childNodes ?? [])].map(node => node.cloneNode(true))),
    data && el('div', { class: 'two', 'data-key': 'two' },
      el('div', {}, entriesPart(row, data), historyPart(data.events)),
      el('div', {},
        next.length > 0 && titled('Next', null, 'next', el('ol', { class: 'steps' }, next.map(({ at, when, text, note }) => el('li', {},
          at ? el('span', {}, el('b', {}, left(at)), faint(moment(at))) : dim(when), el('span', {}, text, note && faint(note)))))),
        error && errorPart(error, id),
        facts.length > 0 && titled('Facts', null, 'facts', el('dl', { class: 'facts' }, facts.map(({ name, value }) => [el('dt', {}, name), el('dd', {}, value)]))))),
  ];
}
const titled = (title, value, key, ...children) => el('section', { 'data-key': key, class: key }, el('h2', {}, title, value && el('span', {}, value)), children);
const table = (css, names, rows) => el('table', { class: css }, names && el('thead', {}, el('tr', {}, names.map((name, i) => el('th', { scope: 'col', class: i > 2 && 'roomy' }, name)))), el('tbody', {}, rows));

const SIGNS = { add: ['+', 'to add'], remove: ['−', 'to remove'], set: ['~', 'to set'], keep: ['', 'unchanged'] };
function entriesPart(row, { entries = [], write }) {
  const keep = entries.filter(entry => entry.change === 'keep'), changed = entries.filter(entry => entry.change !== 'keep');
  const line = ({ node, address, state, wanted, change, why }) => el('tr', { class: change, 'data-key': `${change} ${node} ${address}` }, el('td', { 'aria-label': SIGNS[change]?.[1] }, SIGNS[change]?.[0]),
    el('td', {}, mono(node)), el('td', {}, mono(address ?? '')), el('td', { class: 'roomy' }, change === 'set' ? `${state ?? 'None'} → ${wanted}` : state), el('td', { class: 'dim roomy' }, why));
  const does = write && [write.add && `adds ${write.add}`, write.remove && `removes ${write.remove}`, write.set && `sets ${write.set}`].filter(Boolean).join(', ');
  const names = ['', 'Node', 'Address', 'Admin state', 'Why'];
  return titled('Desired against actual', `${row.right} of ${row.wanted} right${row.remove ? `, ${row.remove} too many` : ''}${row.down ? `, ${row.down} to set Down` : ''}${row.up ? `, ${row.up} to set None` : ''}`, 'entries',
    changed.length > 0 && table('entries', names, changed.map(line)),
    keep.length > 0 && el('details', { 'data-key': `keep ${row.id} ${changed.length > 0}`, open: !changed.length }, el('summary', {}, `${count(keep.length)} unchanged`), table('entries', changed.length ? null : names, keep.map(line))),
    write && does && el('details', { 'data-key': 'write' }, el('summary', {}, `Would be written now: one PUT that ${does}`), el('pre', { tabindex: 0 }, `PUT ${write.url}\n${write.etag ? `If-Match: ${write.etag}` : ''}`)));
}
const idLines = ids => [['x-ms-correlation-request-id', ids.correlation], ['x-ms-request-id', ids.request], ['x-ms-client-request-id', ids.client]].filter(line => line[1]);
const LANES = { cluster: 'Cluster: ', waits: 'Waits: ', azure: '' };
const MARKS = { failure: '✕ ', write: '✓ ' };
function historyPart(events = []) {
  const copied = ({ ids, trace }) => [...(ids ? idLines(ids) : []), ...(trace ? [['trace_id', trace]] : [])].map(id => id.join(': ')).join('\n');
  const line = ({ at, until, lane, kind, text, note, ids, trace }) => el('tr', { 'data-key': `${at} ${kind} ${text}` },
    el('td', { class: 'dim', title: at }, clockText(at), Math.abs(Date.parse(at) - now()) < 600000 ? `.${at.slice(20, 21) || 0}` : ''),
    el('td', {}, MARKS[kind] && el('span', { class: kind === 'failure' ? 'need' : 'dim' }, MARKS[kind]), LANES[lane], text),
    el('td', { class: 'dim roomy' }, note), el('td', { class: 'dim number' }, until ? Date.parse(until) > now() ? 'goes on' : brief(Date.parse(until) - Date.parse(at)) : lane === 'waits' && 'goes on'),
    el('td', { class: 'number roomy' }, (ids || trace) && copyButton(copied({ ids, trace }), 'Ids', `of ${text}, copy`)));
  return events.length > 0 && titled('History', 'newest first', 'history', table('history', null, events.map(line)));
}
function errorPart({ at, status, code, message, ids }, id) {
  const title = [status && `HTTP ${status}`, code].filter(Boolean).join(' '), lines = ids ? idLines(ids) : [];
  return titled('Last error', at && moment(at), 'error', el('p', {}, el('b', {}, title)), el('p', { class: 'dim' }, message),
    el('div', { class: 'ids' }, lines.map(([name, value]) => [el('div', {}, el('small', {}, name), el('code', {}, value)), copyButton(value, 'Copy', name)])),
    lines.length > 0 && copyButton([title, at, message, id, ...lines.map(line => line.join(': '))].filter(Boolean).join('\n'), 'Copy all for Azure support'));
}

// ---------------------------------------------------------------- the figure of one pool: what has been, and what is to come

const MINUTE = 60000;
const STEPS = [1, 2, 5, 10, 30, 60, 120, 300, 600, 1800, 3600, 7200, 21600, 86400].map(s => 1000 * s);
function drawFigure() {
  const { data } = one, row = model.rows.get(one.id) ?? data?.row, box = $('figure');
  if (!box) return;
  const t = now(), recent = (data?.events ?? []).map(e => ({ ...e, from: Date.parse(e.at), to: e.until ? Date.parse(e.until) : e.lane === 'waits' ? t : Date.parse(e.at) }))
    .filter(e => e.to > (row?.since ? Date.parse(row.since) - 1000 : t - 15 * MINUTE)).sort((a, b) => a.from - b.from);
  box.hidden = !recent.length;
  if (!recent.length) return;
  const plans = (data.next ?? []).filter(step => step.at && Math.abs(Date.parse(step.at) - ms(row.until, 0)) > 500).map(step => ({ ...step, from: Date.parse(step.at) }));
  const start = row?.since ? Math.min(Date.parse(row.since), recent[0].from) : recent[0].from, past = Math.max(10000, t - start);
  const end = Math.min(t + past, Math.max(t + past / 8, ms(row?.until, 0) + past / 5, ...plans.map(plan => plan.from + past / 5)));
  const from = start - past * .03, percent = at => 100 * (at - from) / (end - from), x = at => `${Math.max(0, percent(at)).toFixed(2)}%`;
  const wide = (a, b) => `${Math.max(0, Math.min(100, percent(b)) - Math.max(0, percent(a))).toFixed(2)}%`;
  const item = (css, a, b, text, title) => el('div', { class: `item ${css}`, title, style: { left: x(a), width: wide(a, b) } }, text);
  const lane = (name, key) => {
    const items = recent.filter(e => e.lane === key), next = i => items[i + 1]?.from ?? (key === 'azure' ? plans[0]?.from : null) ?? end;
    return el('div', { class: 'lane' }, el('span', { class: 'name' }, name), items.map((e, i) => {
      const title = `${clockText(e.from)} ${e.text}${e.note ? `: ${e.note}` : ''}`;
      if (e.kind === 'change') return item('change', e.from, next(i), e.text, title);
      if (key === 'waits') return item(e.kind, e.from, e.to, e.text, title);
      return [item(e.kind, e.from, e.to, '', title), e.kind !== 'read' && item(`said ${e.kind}`, e.to, next(i), (MARKS[e.kind] ?? '') + e.text.replace(/^(PUT|GET) /, ''), title)];
    }), key === 'azure' && plans.filter(plan => plan.from < end).map((plan, i) => item('plan', plan.from, plans[i + 1]?.from ?? end, plan.text, plan.note)));
  };
  const step = STEPS.find(size => (end - from) / size <= 7) ?? STEPS.at(-1), marks = [];
  for (let at = Math.ceil(from / step) * step; at < end; at += step) if (percent(at) > 2 && percent(at) < 97) marks.push(at);
  fill(box, lane('Cluster', 'cluster'), lane('Waits', 'waits'), lane('Azure', 'azure'),
    el('div', { class: 'axis' }, marks.map(at => el('span', { style: { left: x(at) } }, clockText(at, step < MINUTE ? 3 : 2)))),
    el('div', { class: 'over' }, el('div', { class: 'future', style: { left: x(t) } }), el('div', { class: 'now', style: { left: x(t) } }, el('span', {}, time.stopped == null ? 'now' : 'last news'))));
}
