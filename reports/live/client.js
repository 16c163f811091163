// Handles the events of the run and draws at most once per frame.
const handlers = {
  start(value) {
    state.start = value;
    state.startedAt = Date.parse(value.startedAt);
  },
  operation: addOperation,
  test({ suite, operations, checks, verdict, requests, findings }) {
    state.suite = suite;
    state[verdict] += 1;
    state.requests += requests;
    for (const [operation, shown] of operations) for (const check of checks) raise(operation, check, shown);
    for (const finding of findings) addFinding(finding);
  },
  rerun(findings) {
    for (const finding of findings) addFinding(finding);
  },
  tick: addTick,
  scenario(value) {
    scenarioOf(value.name).done = value;
    for (const finding of value.findings) addFinding(finding);
  },
  capacity(value) {
    state.capacity = value;
    dirty.add('load');
  },
  live({ doing, share, leftSeconds, isLeast = false, load, fleet }) {
    state.suite = doing ?? state.suite;
    const spent = (Date.now() - state.startedAt) / 1000;
    state.share = share ?? (leftSeconds === undefined ? state.share : spent / (spent + leftSeconds));
    state.leftSeconds = leftSeconds;
    state.isLeast = isLeast;
    state.fleet = fleet;
    if (load) scenarioOf(load.scenario).now = load;
  },
  error({ message, hint }) {
    $('errors-part').hidden = false;
    $('errors').append(make('li', {}, hint ? `${message} (hint: ${hint})` : message));
  },
  effects(value) {
    state.effects = value;
  },
  ended(value) {
    state.ended = value;
  },
  verdict(value) {
    state.verdict = value;
    Object.assign(state, value.totals);
    $('files').hidden = value.files.length === 0;
    $('files').textContent = `Reports: ${value.files.join(', ')}`;
    if (value.hasReport)
      linkReport().catch(() => {
        // The names of the files are shown.
      });
    dirty.add('findings');
  },
};

// The server ends with the run: the page keeps the report.
async function linkReport() {
  const href = URL.createObjectURL(await (await fetch('/report')).blob());
  $('files').prepend(make('a', { href, target: '_blank' }, 'Open the report'), ' · ');
}

function addFinding(finding) {
  raise(finding.operation, finding.check, finding.severity === 'violation' && !finding.known ? 'failed' : 'warned');
  if (state.findings.has(finding.fingerprint)) return;
  state.findings.set(finding.fingerprint, finding);
  dirty.add('findings');
}

function findingItem({ fingerprint, kind, kindName, rank, severity, known, message, commands, ...finding }) {
  const head = make(
    'summary',
    {},
    make('span', { class: `kind k-${kind}` }, kindName),
    severity === 'warning' ? make('span', { class: 'tag warned' }, 'warning') : '',
    known ? make('span', { class: 'tag' }, 'known') : '',
    make('b', {}, message),
  );
  const facts = definitions('facts', [
    ['where', `${finding.operation} ${finding.form}`],
    ['check', finding.check],
    ['expected', finding.expected],
    ['received', finding.received],
    ...(finding.note === '' ? [] : [['note', finding.note]]),
  ]);
  const blocks = commands.map((text) => make('pre', { class: 'code' }, text));
  const details = make('details', {}, head, facts, ...blocks);
  return make('li', { 'data-id': fingerprint, 'data-rank': rank }, details);
}

// New findings are inserted by kind, so that open ones stay open.
function drawFindings() {
  const list = $('findings');
  $('findings-part').hidden = state.findings.size === 0;
  $('amount').textContent = number(state.findings.size);
  const known = new Set([...list.querySelectorAll('li[data-id]')].map((item) => item.dataset.id));
  for (const finding of state.findings.values()) {
    if (known.has(finding.fingerprint)) continue;
    const place = [...list.children].find((item) => Number(item.dataset.rank) > finding.rank);
    list.insertBefore(findingItem(finding), place ?? null);
  }
  joinCauses(state.verdict?.causes ?? []);
}

// After the run, findings of one root cause are moved below the one to read first.
function joinCauses(causes) {
  if (causes.length === 0) return;
  const items = new Map([...$('findings').querySelectorAll('li[data-id]')].map((item) => [item.dataset.id, item]));
  for (const [lead, ...others] of causes) {
    const found = others.flatMap((id) => items.get(id) ?? []);
    if (!items.has(lead) || found.length === 0) continue;
    const list = make('ol', { class: 'live-findings' }, ...found);
    items.get(lead).append(make('p', { class: 'hint' }, 'Probably the same cause:'), list);
  }
  if (causes.length < state.findings.size)
    $('amount').textContent =
      `${number(state.findings.size)} finding${state.findings.size === 1 ? '' : 's'}, probably ${number(causes.length)} root cause${causes.length === 1 ? '' : 's'}`;
  state.verdict.causes = [];
}

const RUNNING = { verify: 'No findings so far', load: 'Load is running', capacity: 'Searching for the capacity' };

function drawHead() {
  const { start, ended, verdict, findings, share, leftSeconds, isLeast, suite, fleet } = state;
  const word =
    verdict?.verdict ??
    (ended ? (ended.interrupted ? 'interrupted' : 'ended') : state.aborting ? 'stopping' : 'running');
  $('state').textContent = word;
  $('state').className =
    `tag ${{ passed: 'passed', failed: 'failed', error: 'failed', running: 'live-on' }[word] ?? 'warned'}`;
  if (start)
    $('what').textContent = `assay ${start.command} · ${start.title} · ${start.target.baseUrl} · seed ${start.seed}`;
  document.title = [word.toUpperCase(), start?.title, 'Assay'].filter(Boolean).join(' · ');
  const began = ended ? ended.durationMs : Date.now() - state.startedAt;
  const sentence =
    verdict?.sentence ??
    (state.aborting
      ? 'Removing what was created'
      : findings.size === 0
        ? (RUNNING[start?.command] ?? '')
        : `${number(findings.size)} finding${findings.size === 1 ? '' : 's'} so far`);
  // It is read aloud when it is set.
  if ($('sentence').textContent !== sentence) $('sentence').textContent = sentence;
  const bar = $('progress');
  bar.hidden = ended !== undefined;
  if (share !== undefined) bar.value = share;
  const parts = [time(Math.max(0, began))];
  if (!ended && fleet) parts.push(`${fleet.agents} of ${fleet.of} agents`);
  if (!ended && share !== undefined) parts.push(`${Math.floor(share * 100)}%`);
  if (!ended && leftSeconds !== undefined) parts.push(`${isLeast ? 'at least ' : ''}${time(leftSeconds * 1000)} left`);
  if (!ended && suite) parts.push(suite);
  if (state.effects)
    parts.push(
      `${number(state.effects.created)} created, ${number(state.effects.removed)} removed, ${number(state.effects.left)} left`,
    );
  $('line').textContent = parts.join(' · ');
  if ($('abort')) $('abort').hidden = ended !== undefined;
  drawFigures();
}

function drawFigures() {
  const { start, passed, failed, known, skipped, requests, findings } = state;
  const figures =
    start?.command === 'verify'
      ? Object.entries({ passed, failed, ...(known > 0 && { known }), skipped, requests, findings: findings.size })
      : [];
  const texts = figures.map(([term, value]) => [term, number(value)]);
  $('figures').replaceChildren(...definitions('figures', texts).children);
}

const DRAW = { matrix: drawMatrix, findings: drawFindings, load: drawLoad };
let waiting = false;
function schedule() {
  if (waiting) return;
  waiting = true;
  requestAnimationFrame(() => {
    waiting = false;
    drawHead();
    const parts = [...dirty];
    dirty.clear();
    for (const part of parts) DRAW[part]();
  });
}

function listen() {
  const source = new EventSource('/events');
  source.addEventListener('message', ({ data }) => {
    for (const [type, value] of JSON.parse(data)) handlers[type]?.(value);
    schedule();
  });
  source.addEventListener('open', () => {
    if ($('abort')) $('abort').disabled = state.aborting === true;
  });
  source.addEventListener('error', () => {
    if (state.ended || state.verdict) source.close();
    else $('line').textContent = 'The connection to the run was lost; trying again.';
    if ($('abort')) $('abort').disabled = true;
  });
}

$('abort')?.addEventListener('click', async () => {
  if (!confirm('End the run? What it created is removed, and the reports are written.')) return;
  $('abort').disabled = true;
  state.aborting = true;
  schedule();
  await fetch('/abort', { method: 'POST' });
});
document.body.classList.add('js');
matrixPointer();
listen();
