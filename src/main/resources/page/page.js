// The page: the stream of news, the route, and all but the pools. It changes nothing; it hands out commands.

import {
  $, age, askToken, behind, bigLeft, brief, clockText, command, copy, copyButton, count, dim, el, faint, fill, filterLink, fixes, runbook, get, icon, left, link, model, moment, mono, now, parse, plural,
  poolLink, refresh, say, sentence, setClock, sh, shapeOf, span, time, zone,
} from './parts.js';
import * as pools from './pools.js';

// ---------------------------------------------------------------- the stream

/** Silence in ms after which the page is old, and after which a connection is given up. */
const OLD = 2500, DEAD = 5000;
const PAUSES = [1000, 2000, 5000];
const stream = { number: 0, line: 0, bytes: 0, abort: null, failures: 0, problem: '' };

async function follow() {
  for (;;) {
    try {
      await readLines();
      stream.problem = 'The server ended the connection.';
    } catch (e) {
      stream.problem = e.status ? `The server answers ${e.message}.` : 'The server does not answer.';
      if (e.said) await askToken(e.said);
    }
    await new Promise(resolve => setTimeout(resolve, PAUSES[Math.min(stream.failures++, PAUSES.length - 1)]));
  }
}
async function readLines() {
  stream.abort = new AbortController();
  stream.bytes = performance.now();
  stream.number = 0;
  const reader = (await get('/api/v1/events', stream.abort.signal)).body.pipeThrough(new TextDecoderStream()).getReader();
  for (let rest = '';;) {
    const { done, value } = await reader.read();
    if (done) return;
    stream.bytes = performance.now();
    const lines = (rest + value).split('\n');
    rest = lines.pop();
    for (const line of lines) if (line) take(parse(line));
  }
}
function take(news) {
  if (!news.whole && news.n !== stream.number + 1) throw new Error('a line is missing');
  Object.assign(stream, { number: news.n, line: performance.now(), failures: 0 });
  if (news.whole) time.known = false;
  if (news.status?.now ?? news.now) setClock(news.status?.now ?? news.now);
  if (time.stopped != null) { time.stopped = null; drawFreshness(); tick(); }
  if (news.status) model.status = news.status;
  const seen = pools.take(news.pools ?? [], news.gone ?? [], news.whole);
  const announced = news.status && announce();
  if (news.status || news.pools || news.gone) schedule(news.whole || announced, seen);
}
/** The title and the announcement do not wait for a frame: there is none while the page is in the background. */
function announce() {
  const { text, rest } = model.status.headline, news = text + rest;
  if (announce.last === news) return false;
  announce.last = news;
  document.title = `${news} Poolkeeper ${model.status.cluster ?? ''}`.trim();
  say(news);
  return true;
}
/** Twice a second: is the news old, and is the connection dead? Writes nothing while all is well. */
function watch() {
  const silent = performance.now() - stream.line;
  if (silent > OLD && time.stopped == null) time.stopped = now();
  if (time.stopped != null) drawFreshness();
  if (performance.now() - stream.bytes > DEAD) stream.abort?.abort();
}
function drawFreshness() {
  const old = time.stopped != null, seconds = Math.floor((performance.now() - stream.line) / 1000), before = document.body.classList.contains('old');
  document.body.classList.toggle('old', old);
  if (old) $('fresh').textContent = `no news for ${span(1000 * seconds)}`;
  if (old !== before || old && $('banner').dataset.about === 'old') drawBanner();
}

// ---------------------------------------------------------------- drawing: once a frame at most, and only what has changed

let wanted = false;
const drawn = new Map();
/** News is drawn at once if it is the sentence's, or is seen and the next tick is not near; else with that tick. So it costs two frames a second at most. */
function schedule(first, seen) {
  if (first || seen && !wanted && now() % 1000 < 500) requestAnimationFrame(() => { if (wanted) draw(); });
  wanted = true;
}
function draw() {
  const { status } = model;
  wanted = false;
  if (!status) return;
  pools.measure();
  drawBar(status);
  drawBanner();
  drawHead(status);
  drawCauses(status);
  pools.draw();
  drawRail(status);
  drawDock(status);
  if (!$('fresh').textContent) tick();
}
/** Builds a part anew if what it shows has changed. Times in it are kept up to date by `tick`. */
function part(id, shows, build) {
  const key = JSON.stringify(shows) + time.utc;
  if (drawn.get(id) === key) return;
  drawn.set(id, key);
  const children = build();
  $(id).hidden = !children;
  if (children) fill($(id), children);
}
/** Once a second, at the second of the server's clock. */
function tick() {
  const clock = clockText(now()) + (time.utc ? ' UTC' : ' local');
  if ($('clock').textContent !== clock) $('clock').textContent = clock;
  if (time.stopped == null && model.status) {
    $('fresh').textContent = `updated ${((performance.now() - stream.line) / 1000).toFixed(1)} s ago`;
    for (const e of document.getElementsByTagName('time')) refresh(e);
    if (model.status.limiter?.gates.length) drawLimiter(model.status);
    if ($('mode').open) drawBar(model.status);
    pools.tick();
  }
}
function ticks() {
  if (!document.hidden) requestAnimationFrame(() => { if (wanted) draw(); tick(); });
  setTimeout(ticks, 1000 - now() % 1000 + 5);
}

// ---------------------------------------------------------------- bar and banner

const resume = ({ namespace, lease }) => sh`kubectl -n ${namespace} annotate lease ${lease} poolkeeper.io/paused-until- poolkeeper.io/paused-reason- poolkeeper.io/paused-drains-`;
/** Half an hour from now, to the minute. */
const pause = ({ namespace, lease }) => sh`kubectl -n ${namespace} annotate lease ${lease} --overwrite poolkeeper.io/paused-until=${
  new Date(Math.ceil(now() / 60000) * 60000 + 1800000).toISOString().replace('.000', '')} poolkeeper.io/paused-reason="TEXT"`;
const modeOf = ({ leads, mode, pause }) => !leads ? 'standby' : pause ? 'paused' : mode === 'shadow' ? 'shadow' : 'write';
const MODES = { write: ['Write', 'pen'], shadow: ['Shadow', 'dashed'], paused: ['Paused', 'pause'], standby: ['Standby', 'minus'] };

/** The command that leads to this page on this machine, where a connection from loopback is a port-forward; options where they are not the usual ones. */
const forwarded = ['127.0.0.1', 'localhost', '[::1]'].includes(location.hostname);
const pageCommand = ({ namespace, lease } = {}) => ['./poolkeeper page', namespace && namespace !== 'poolkeeper' && sh`-n ${namespace}`,
  lease && !/^poolkeeper-leader(-shadow)?$/.test(lease) && sh`--lease ${lease}`, forwarded && location.port !== '8558' && sh`--port ${location.port}`].filter(Boolean).join(' ');

function drawBar(status) {
  const mode = modeOf(status), [label, shape] = MODES[mode];
  part('cluster', status.cluster, () => [status.cluster]);
  part('mode-now', [mode, status.mode], () => [icon(shape), dim('Mode: '), mode === 'paused' && status.mode === 'shadow' ? 'Shadow, paused' : label]);
  const text = {
    write: !status.election ? ['Poolkeeper writes.'] : ['Poolkeeper writes. This pauses it for half an hour, all replicas, without a restart. The pause ends by itself:', pause(status),
      'Leaving nodes are still set Down; with the annotation poolkeeper.io/paused-drains=true they wait, too. This page changes nothing.'],
    shadow: ['All is decided and shown; nothing is written. With poolkeeper.mode = write in the configuration it writes.'],
    paused: ['This ends the pause before its time:', resume(status)],
    standby: [`${status.replicas?.leader ? 'Another replica leads' : 'No replica is known to lead'}. This one writes nothing.`],
  }[mode];
  part('mode-help', text, () => [el('p', {}, text[0]), text[1] && command(text[1], 'this command'), text[2] && el('p', { class: 'dim' }, text[2])]);
  part('short-head', [status.headline, status.impact.without > 0], () => [headIcon(status), el('span', {}, status.headline.text)]);
  $('short-head').hidden = headSeen;
}
function drawBanner() {
  const { status } = model;
  const banner = time.stopped != null && performance.now() > OLD
    ? ['old', 'alert', 'No news', [`${stream.problem} `, model.status && `What you see is of ${clockText(stream.line + time.ahead)}${zone()}, and its countdowns stand still. `, 'It tries again by itself.',
      forwarded && ` If its port-forward has ended, start it again: ${pageCommand(status ?? undefined)}`]]
    : status?.pause ? ['paused', 'pause', ['Paused until ', moment(status.pause.until)], [
      status.pause.reason && `“${status.pause.reason}”. `,
      status.pause.drains ? 'Changes of members wait, and so do nodes that leave.' : 'Changes of members wait; nodes that leave are still set Down.']]
      : status?.mode === 'shadow' ? ['shadow', 'dashed', 'Shadow mode', ['Nothing leaves this process but its own Lease: no write to Azure, no taint, no event.',
        status.shadow && [' Since ', moment(status.shadow.since), '.']]] : null;
  $('banner').hidden = !banner;
  if (!banner) return;
  const [about, shape, title, text] = banner;
  $('banner').dataset.about = about;
  fill($('banner'), el('strong', {}, icon(shape, about === 'old' ? 'need' : ''), el('span', {}, title)), el('p', { class: 'grow' }, el('span', {}, text)),
    about === 'paused' && copyButton(resume(status), 'Copy resume command'),
    about === 'old' && forwarded && copyButton(pageCommand(status ?? undefined), 'Copy command'));
}

// ---------------------------------------------------------------- headline and causes

let headSeen = true;
/** The shape of a cause: that of its pools. */
function causeIcon(cause) {
  const of = cause.tone === 'need' ? null : pools.first(row => row.cause === cause.key && row.tone === cause.tone);
  return icon(cause.tone === 'need' ? 'alert' : of ? shapeOf(of) : toneShape(cause.tone), cause.tone);
}
const toneShape = tone => ({ need: 'alert', move: 'arrow', wait: 'clock' })[tone] ?? 'check';
function headIcon({ headline: { tone }, impact, causes, leads, mode, nodes }) {
  if (impact.without) return icon('alert', 'need');
  if (tone === 'ok') return icon(!leads ? 'minus' : mode === 'shadow' ? 'dashed' : 'check', 'ok');
  if (tone === 'wait' && nodes?.some(node => node.state === 'Leaving')) return icon('down', tone);
  return tone === 'wait' && causes.length ? causeIcon({ ...causes[0], tone }) : icon(toneShape(tone), tone);
}
function drawHead(status) {
  const { headline: head } = status;
  $('head').classList.toggle('hurt', status.impact.without > 0);
  part('head-icon', [head.tone, status.impact.without > 0, status.mode, status.leads, status.causes[0]?.key, status.nodes?.length], () => [headIcon(status)]);
  part('headline', head, () => [head.text, el('span', {}, head.rest)]);
  part('verdict', head, () => [head.todo && el('b', { class: head.tone === 'need' && 'need' }, head.todo), ' ', head.more]);
  part('until', head, () => head.until && [el('b', {}, bigLeft(head.until, head.exactness)), el('span', {}, head.untilWhat),
    el('span', { class: 'at' }, 'at ', moment(head.until), zone())]);
}
function drawCauses(status) {
  // What the sentence has said already is no row; the report of shadow mode has the pools that differ.
  const causes = status.causes.filter(({ key, tone }) => !['not-leading', 'starting'].includes(key) && (!status.shadow || tone === 'need' || tone === 'wait'));
  const { leader } = status.replicas ?? {}, lost = !status.leads && leader;
  part('causes', [causes, status.shadow, lost, causes.map(cause => causeIcon(cause).outerHTML)], () => {
    const all = [
      causes.length > 0 && el('div', { class: 'cause names', 'aria-hidden': 'true' }, ['', 'Pools', 'Why', 'Goes on', 'What to do'].map(name => el('span', {}, name))),
      causes.length > 0 && el('ul', { 'data-key': 'causes' }, causes.map(causeItem)),
      status.shadow && el('div', { class: 'report', 'data-key': 'report' }, report(status.shadow)),
      lost && el('div', { class: 'solo', 'data-key': 'solo' }, el('p', {}, `The leader’s page, from your machine${forwarded ? '; end the port-forward to this one first' : ''}`),
        command(pageCommand(status), 'the command that opens it')),
    ].filter(Boolean);
    return all.length > 0 && all;
  });
}
const poolName = id => el('a', { href: poolLink(id) }, model.rows.get(id)?.services[0] ?? id);
function causeItem(cause) {
  const { fewest, missing, fix = [] } = cause;
  return el('li', { class: 'cause', 'data-key': cause.key }, causeIcon(cause),
    el('p', { class: 'how-many' }, cause.pools ? el('a', { href: filterLink('cause:' + cause.key) }, plural(cause.pools, 'pool')) : '–'),
    el('div', { class: 'why' }, el('b', {}, cause.title), el('p', { class: 'small' }, sentence(cause.evidence),
      fewest && fewest.right < fewest.wanted && ['Fewest right nodes: ', poolName(fewest.pool), `, ${fewest.right} of ${fewest.wanted}. `])),
    el('p', { class: 'when' }, cause.until && (cause.tone === 'need' ? el('span', {}, 'next try ', left(cause.until, cause.exactness, 'in '))
      : [el('b', {}, left(cause.until, cause.exactness, 'in ')), el('span', {}, 'at ', moment(cause.until))])),
    el('div', { class: 'todo' }, el('b', { class: cause.tone === 'need' && 'need' }, cause.todo), ' ', el('p', { class: 'small' }, cause.more, ' '), runbook(cause)),
    fixes(missing, fix));
}
const KINDS = {
  members: 'Members', drift: 'Drift put right', 'admin-state': 'Set Down, node leaving', node: 'Nodes tainted', binding: 'Bindings', event: 'Events',
};
function report({ since, verdict, wouldWrite, members, differ, waitForFinalizer }) {
  const ends = Object.entries(members.within).map(([to, number]) => [+to, number]).sort((a, b) => a[0] - b[0]), most = Math.max(1, ...ends.map(end => end[1]));
  const range = (from, to) => to <= 60 ? `${from ? `${from} to` : 'up to'} ${to} s` : `${from / 60} to ${to / 60} min`;
  const bars = ends.map(([to, number], i) => [dim(range(ends[i - 1]?.[0], to)),
    el('i', { style: { width: `${100 * number / most}%` } }), el('span', { class: 'number' }, count(number))]);
  const line = (name, number, more) => el('tr', {}, el('td', {}, name), el('td', { class: 'number' }, count(number)), el('td', { class: 'dim' }, more));
  const change = one => [one.add.length && `would add ${one.add.join(', ')}`, one.remove.length && `would remove ${one.remove.join(', ')}`].filter(Boolean).join(' and ');
  return [
    el('section', {}, el('h2', {}, 'How much later the cloud provider wrote the same'), el('div', { class: 'bars' }, bars),
      members.medianSeconds != null && el('p', { class: 'dim' }, `Median: ${span(1000 * members.medianSeconds)}`)),
    el('section', {}, el('h2', {}, 'Would have been written in ', age(since)), el('table', {}, el('tbody', {},
      Object.entries(wouldWrite).filter(entry => entry[1] > 0).map(([kind, number]) => line(KINDS[kind] ?? kind, number, ''))))),
    el('section', {}, el('h2', {}, 'What became of changes of members'), el('table', {}, el('tbody', {}, line('Decided', members.decided, ''),
      line('Met', members.met, 'the cloud provider wrote the same'), line('Superseded', members.superseded, 'a newer decision came first'),
      line('Due', members.due, 'younger than 10 min'), line('Not met', members.notMet, 'older than 10 min'))),
      el('p', {}, el('b', {}, verdict.text), ' ', el('span', { class: 'dim' }, verdict.todo))),
    el('section', {}, el('h2', {}, 'Decisions that differ'), differ.length === 0 && el('p', { class: 'dim' }, 'none'),
      el('table', {}, el('tbody', {}, differ.slice(0, 20).map(one => el('tr', { 'data-key': `${one.resourceGroup}/${one.loadBalancer}/${one.pool}/${one.since}` },
        el('td', {}, el('a', { href: poolLink(`${one.resourceGroup}/${one.loadBalancer}/${one.pool}`) }, one.services[0] ?? one.pool)),
        el('td', { class: 'dim' }, change(one), ', for ', age(one.since), one.notMet ? '' : ', due'))))),
      differ.length > 20 && el('p', { class: 'dim' }, `and ${differ.length - 20} more`),
      waitForFinalizer.length > 0 && el('p', { class: 'dim' }, 'Bindings that wait for an installation in write mode: ', waitForFinalizer.join(', '))),
  ];
}
const summary = ({ cluster, headline, causes }) => [
  `Poolkeeper ${cluster ?? ''}, ${clockText(now())}${zone()}: ${headline.text}${headline.rest} ${headline.todo} ${headline.more}`.trim(),
  ...causes.map(cause => `- ${plural(cause.pools, 'pool')}: ${cause.title}.${cause.until ? ` Goes on at ${clockText(cause.until)}.` : ''} Do: ${cause.todo} ${cause.more}`.trim()),
].join('\n');

// ---------------------------------------------------------------- rail: plots, nodes, rate limiter, leftovers, replicas

const heading = (title, ...value) => el('header', {}, el('h2', {}, title), el('p', {}, value));
const pairs = (...rows) => el('div', { class: 'pairs' }, rows.filter(Boolean).map(([name, value]) => [el('span', {}, name), el('span', { class: 'dim' }, value)]));

function drawRail(status) {
  const { history, nodes, nodesMore = 0, limiter, leftovers, replicas, leads } = status;
  part('plots', leads && [history, status.mode, limiter?.writes5m], () => leads && history && plots(status));
  part('nodes', [leads && nodes, nodesMore], () => leads && nodes && [heading('Nodes leaving', nodes.length ? count(nodes.length + nodesMore) : 'none'), nodes.map(nodeItem),
    nodesMore > 0 && el('p', { class: 'dim' }, `and ${count(nodesMore)} more`)]);
  drawLimiter(status);
  part('leftovers', leads && leftovers, () => leads && leftovers && [
    heading('Leftovers', leftovers.length ? [count(leftovers.reduce((sum, one) => sum + one.entries, 0)), ', oldest ',
      age(leftovers.map(one => one.since).sort()[0])] : 'none'), leftovers.map(one => el('p', { class: 'dim' }, `${count(one.entries)} ${one.text}`))]);
  part('replicas', [replicas, leads, status.pod], () => replicas && replicasPart(replicas, leads));
  part('about', [status.version, status.commit, status.started], () => [`Poolkeeper ${status.version} (${status.commit}), up `, age(status.started), '. ',
    ['/metrics', '/readyz', '/api/v1/status'].map(path => [link(path), ' '])]);
}

const HIGH = 44, WIDE = 300;
function plots({ history: { from, stepSeconds, p50, p99, writes, oldest, throttled }, limiter, mode }) {
  const start = Date.parse(from), long = stepSeconds * 1000 * writes.length, x = i => WIDE * (i + .5) / writes.length;
  const line = (values, y) => values.map((v, i) => v == null ? '' : `${values[i - 1] == null ? 'M' : 'L'}${x(i).toFixed(1)} ${y(v).toFixed(1)}`).join('');
  const linear = most => v => HIGH * (1 - Math.min(v, most) / most), decades = v => HIGH * (1 - Math.log10(Math.max(v, .08) / .08) / Math.log10(100 / .08));
  const rule = (y, css = 'grid') => el('line', { class: css, x1: 0, x2: WIDE, y1: y, y2: y }), label = (y, text) => el('span', { class: 'at', style: { top: `${y}px` } }, text);
  const shades = throttled.map(gate => {
    const [a, b] = [gate.from, gate.until].map(at => WIDE * Math.min(1, Math.max(0, (Date.parse(at) - start) / long)));
    return el('rect', { class: 'shade', x: Math.min(a, WIDE - 3), width: Math.max(3, b - a), y: 0, height: HIGH });
  });
  const figure = (title, value, said, labels, ...lines) => el('figure', { role: 'group', 'aria-label': `${title}: ${said}` }, heading(title, value), el('div', { class: 'picture', 'aria-hidden': 'true' },
    el('svg', { viewBox: `0 0 ${WIDE} ${HIGH}`, preserveAspectRatio: 'none' }, shades.map(shade => shade.cloneNode()), lines), labels));
  const number = v => v == null ? null : brief(1000 * v), median = number(p50.findLast(v => v != null)), worst = number(Math.max(...p99.slice(-10), 0));
  const limit = limiter?.budgets.find(one => one.budget === 'writes')?.perSecond, perSecond = limiter && (limiter.writes5m / 300).toFixed(2);
  const rate = linear(1.1 * Math.max(1.8 * (limit ?? 0), .5, ...writes)), waits = Math.max(66, 1.1 * Math.max(...oldest)), wait = linear(waits), last = oldest.at(-1);
  const oldestText = last > 0 ? `now ${span(1000 * last)}` : 'none', rule60 = waits < 200;
  return [
    figure(mode === 'shadow' ? 'Change to decision' : 'Change to Azure', median ? [`${median} median, `, faint(`${worst} p99`)] : 'no change', median ? `median ${median}, p99 ${worst}` : 'no change',
      [label(decades(1), '1 s'), label(decades(10), '10 s')], rule(decades(1)), rule(decades(10)), el('path', { class: 'p99', d: line(p99, decades) }), el('path', { d: line(p50, decades) })),
    figure(mode === 'shadow' ? 'Would write' : 'Writes', perSecond && `${perSecond} a second, last 5 min`, `${perSecond} a second, the limit is ${limit}`,
      [limit && label(rate(limit), `limit ${limit}/s`)], limit && rule(rate(limit), 'limit'),
      el('path', { class: 'columns', d: writes.map((v, i) => v > 0 ? `M${x(i).toFixed(1)} ${HIGH}V${rate(v).toFixed(1)}` : '').join('') })),
    figure('Oldest change that waits', oldestText, oldestText, [rule60 ? label(wait(60) + 12, '60 s') : label(12, span(1000 * waits))], rule60 && rule(wait(60)),
      el('path', { class: 'area', d: `${line(oldest.map(v => v ?? 0), wait)}V${HIGH}H${x(0)}z` }), el('path', { d: line(oldest, wait) })),
    el('div', { class: 'ends', 'aria-hidden': 'true' }, el('span', {}, clockText(start, 2)), throttled.length > 0 && el('span', {}, 'shaded: Azure throttles'), el('span', {}, clockText(start + long, 2))),
  ];
}

function nodeItem(node) {
  const cells = Math.min(node.pools, 44), of = number => Math.round(cells * number / Math.max(1, node.pools)), { done, held, writing } = node;
  const css = i => i < of(done) ? 'done' : i < of(done + held) ? 'held' : i < of(done + held + writing) ? 'busy' : '';
  const leaving = node.state === 'Leaving', list = items => items.map((item, i) => [i > 0 && ', ', item]);
  return el('div', { class: 'node', 'data-key': node.node },
    el('div', { class: 'pair' }, el('a', { class: 'mono', href: filterLink('node:' + node.node) }, node.node), age(node.since, 'dim')),
    el('p', { class: 'dim' }, leaving ? '' : 'Returns: ', node.reasons.join(', '), node.goneBy && [', may go ', el('b', { class: 'wait' }, left(node.goneBy, null, 'in '))]),
    el('div', { class: 'cells', 'aria-hidden': 'true' }, Array.from({ length: cells }, (_, i) => el('i', { class: css(i) }))),
    el('p', {}, `${leaving ? 'Down' : 'Back'} in ${done} of ${plural(node.pools, 'pool')}`, writing > 0 && `, ${writing} being written`, held > 0 && `, ${held} kept on purpose`,
      node.until && [', last one ', left(node.until, 'estimate', 'in ')]),
    node.pending.length > 0 && el('p', { class: 'dim' }, 'waits: ', list(node.pending.map(poolName)), node.more > 0 && ` and ${node.more} more`),
    node.lastError && el('p', { class: 'dim' }, `last error: ${node.lastError}`, node.lastErrorPool && [', at ', poolName(node.lastErrorPool)]));
}

const BUDGETS = { writes: 'Writes', 'drain-reserve': 'For leaving nodes', early: 'Early writes', reads: 'Reads', retries: 'Retries' };
const LANES = { drain: 'Node leaving', update: 'Endpoints changed', 'drain-retry': 'Node leaving, retry', retry: 'Retry', early: 'Early', repair: 'Drift' };
const meter = (share, css = '') => el('div', { class: `meter ${css}`, 'aria-hidden': 'true' }, el('i', { style: { width: `${100 * Math.max(0, Math.min(1, share))}%` } }));

function drawLimiter({ leads, limiter }) {
  part('limiter', leads && [limiter, limiter?.gates.length ? Math.floor(now() / 1000) : 0], () => leads && limiter && limiterPart(limiter));
}
function limiterPart({ gates, budgets, lanes, inFlight, turns, loadBalancers, azureReads, azureWrites }) {
  const waiting = lanes.reduce((sum, lane) => sum + lane.waiting, 0), quiet = !gates.length && !waiting && !inFlight;
  const shut = gate => el('div', { class: 'gate', title: `${plural(gate.times, 'time')} lately` }, icon('pause', 'wait'), el('span', {}, gate.loadBalancer ?? gate.calls.replace(/^./, first => first.toUpperCase())),
    meter((Date.parse(gate.until) - now()) / (Date.parse(gate.until) - Date.parse(gate.since)), 'wait'), el('span', {}, 'throttled, ', el('b', {}, left(gate.until, null, '', ' more'))));
  const open = ['Writes', 'Reads'].filter(calls => !gates.some(gate => !gate.loadBalancer && [calls.toLowerCase(), 'all'].includes(gate.calls)));
  const shown = budgets.filter(({ budget, tokens, burst }) => budget === 'writes' || tokens < burst / 2 || budget === 'drain-reserve' && tokens < burst);
  const slow = loadBalancers.filter(one => one.waiting > 0);
  return [
    heading('Rate limiter', quiet ? 'open, nothing waits' : `${plural(waiting, 'pool')} ${waiting === 1 ? 'waits' : 'wait'}, ${inFlight} served`),
    !quiet && el('div', { class: 'sub' }, gates.map(shut), open.map(calls => el('div', { class: 'gate' }, icon('check', 'ok'), el('span', {}, calls), dim('accepted')))),
    el('div', { class: 'meters', role: 'group', 'aria-label': 'Budgets' }, shown.map(({ budget, tokens, burst, perSecond }) => [
      el('span', { class: 'dim', title: perSecond ? `refills at ${perSecond} a second` : null }, BUDGETS[budget] ?? budget), meter(tokens / burst),
      el('span', { class: 'number' }, tokens < 20 && tokens % 1 ? tokens.toFixed(1) : Math.round(tokens), faint(` of ${burst}`))])),
    waiting > 0 && el('ul', { class: 'lanes', 'aria-label': 'Who waits, the most urgent first' }, lanes.filter(lane => lane.waiting > 0).map(({ lane, waiting: n }) => el('li', {},
      el('span', {}, LANES[lane] ?? lane), el('span', { class: 'tally', 'aria-hidden': 'true' }, Array.from({ length: Math.min(12, n) }, () => el('i'))), el('span', { class: 'number' }, `${n} wait`)))),
    azureWrites != null && el('p', { class: 'dim' }, `Azure says that ${azureWrites} writes${azureReads == null ? '' : ` and ${azureReads} reads`} are left`),
    turns.length > 0 && el('div', { class: 'pairs' }, turns.slice(0, 8).map(turn => [el('a', { href: poolLink(turn.pool) }, turn.service ?? turn.pool),
      dim(turn.pool.split('/').at(-2), `, ${turn.phase.toLowerCase()} for `, age(turn.since))])),
    slow.length > 0 && pairs(...slow.slice(0, 6).map(one => [one.loadBalancer, `${one.waiting} wait${one.meanWriteSeconds == null ? '' : `, a write takes ${brief(1000 * one.meanWriteSeconds)}`}`])),
  ];
}
function replicasPart({ leader, renewed, leadsSince, pod, lease, watches, watchProblems, lastListing, listingError }, leads) {
  const live = watches.filter(one => one.live).length, here = leader === pod || leads;
  const leaseText = { held: 'ours', free: 'free', busy: ['taken by ', lease?.holder ?? 'another'], unreachable: el('b', { class: 'need' }, 'cannot be read'), off: 'not used' }[lease?.state];
  return [
    heading('Replicas', renewed ? ['leader renewed ', age(renewed), ' ago'] : leader ? leads ? 'leads' : 'on standby' : 'no leader is known'),
    pairs(leader && [mono(leader), here ? ['leads, this page', leadsSince && [', for ', age(leadsSince)]] : 'leads'], !here && [mono(pod), 'standby, this page']),
    pairs(lease && ['Lease shared with the cloud provider', [leaseText, lease.since && lease.state !== 'free' && [', ', age(lease.since)]]],
      ['Watches of the API server', `${live} of ${watches.length} live`], lastListing && ['Azure listed', [age(lastListing), ' ago']]),
    watches.filter(one => !one.live).map(one => el('p', { class: 'wait' }, `${one.kind}: not live`)), watchProblems.map(one => el('p', { class: 'wait' }, one)),
    listingError && el('p', { class: 'need' }, `Last listing: ${listingError}`),
  ];
}
function drawDock(status) {
  const n = pools.behindCount(), gate = status.limiter?.gates[0];
  const state = status.impact.without ? 'no node' : status.headline.tone === 'need' ? 'needs you' : n ? status.mode === 'shadow' ? 'differs' : 'behind' : !status.leads ? 'standby' : { ok: 'fine', move: 'starting', wait: 'waits' }[status.headline.tone];
  part('dock', [state, n, model.rows.size, status.nodes?.length, status.nodesMore, gate, status.leads], () => [
    ['head', state, 'State'], status.leads && ['pools', count(n || model.rows.size), 'Pools'], status.leads && ['nodes', (status.nodes?.length ?? 0) + (status.nodesMore ?? 0), 'Leaving'],
    status.leads && ['limiter', gate ? left(gate.until) : 'open', 'Limiter'], ['replicas', status.leads ? 'leads' : 'standby', 'Replicas'],
  ].filter(Boolean).map(([to, value, label]) => el('button', { type: 'button', 'data-to': to }, el('b', {}, value), label)));
}

// ---------------------------------------------------------------- route, keys, clicks

function go() {
  const parts = new URLSearchParams(location.hash.slice(1).replaceAll('+', '%2B'));
  pools.show(parts.get('pool'), parts.get('filter'));
  if (!parts.get('pool') && parts.get('filter')) $('pools').scrollIntoView({ block: 'nearest' });
}
const stored = {
  get(key) { try { return localStorage.getItem(`poolkeeper.${key}`); } catch { return null; } },
  set(key, value) { try { localStorage.setItem(`poolkeeper.${key}`, value); } catch { /* there is no storage here */ } },
};
const THEMES = ['auto', 'light', 'dark'];
function setTheme(theme) {
  document.documentElement.dataset.theme = theme;
  $('theme').textContent = `Theme: ${theme}`;
  stored.set('theme', theme);
}
const nextTheme = () => setTheme(THEMES[(THEMES.indexOf(document.documentElement.dataset.theme) + 1) % THEMES.length]);

const KEYS = {
  '/': () => { $('find').focus(); $('find').select(); }, '?': () => $('help').showModal(), b: pools.toggleOnly, t: nextTheme,
  j: () => pools.move(1), k: () => pools.move(-1), ArrowDown: () => pools.move(1), ArrowUp: () => pools.move(-1),
  Enter: e => !e.target.closest('a, button, summary, input') && pools.openCurrent(),
  Escape: () => { if ($('mode').open) { $('mode').open = false; $('mode-now').focus(); } else pools.close(); },
};
document.addEventListener('keydown', e => {
  const { key, target } = e;
  if (e.ctrlKey || e.metaKey || e.altKey || $('help').open || $('sign-in').open || !Object.hasOwn(KEYS, key)) return;
  if (target === $('find')) {
    if (key === 'Escape') { target.blur(); pools.setFilter(''); } else if (key === 'Enter' || key === 'ArrowDown') pools.move(1, true); else return;
  } else if (key.startsWith('Arrow') && !target.closest('#list')) return;
  else if (key.length === 1 && key !== '?' && !$('letters').checked) return;
  else if (KEYS[key](e) === false) return;
  e.preventDefault();
});
document.addEventListener('click', e => {
  const button = e.target.closest('[data-copy], [data-to]');
  if (e.target.closest('[data-close]')) { e.preventDefault(); pools.close(); }
  if (button?.dataset.copy) copy(button, button.dataset.copy);
  if (button?.dataset.to) {
    if (document.body.dataset.view === 'one') pools.close();
    setTimeout(() => $(button.dataset.to).scrollIntoView());
  }
  if ($('mode').open && !$('mode').contains(e.target)) $('mode').open = false;
});
$('summary').addEventListener('click', () => model.status && copy($('summary'), summary(model.status)));
$('theme').addEventListener('click', nextTheme);
$('keys-button').addEventListener('click', KEYS['?']);
$('clock').addEventListener('click', () => { time.utc = !time.utc; stored.set('clock', time.utc ? 'utc' : 'local'); pools.redraw(); draw(); tick(); });
$('letters').addEventListener('change', () => stored.set('letters', $('letters').checked));
$('mode').addEventListener('toggle', () => model.status && drawBar(model.status));
$('short-head').addEventListener('click', () => scrollTo(0, 0));
$('skip').addEventListener('click', e => { e.preventDefault(); pools.move(0); });
new IntersectionObserver(([head]) => { headSeen = head.isIntersecting; $('short-head').hidden = headSeen || !model.status; }, { rootMargin: '-44px 0px 0px' }).observe($('head'));
addEventListener('hashchange', go);
document.addEventListener('visibilitychange', () => document.hidden || tick());

$('letters').checked = stored.get('letters') !== 'false';
time.utc = stored.get('clock') !== 'local';
setTheme(THEMES.find(theme => theme === stored.get('theme')) ?? 'auto');
pools.start();
go();
ticks();
setInterval(watch, 500);
follow();
