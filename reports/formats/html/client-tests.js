// The list of tests and the matrix of the report.
const MARKS = { passed: '✓', failed: '✗', skipped: '–', error: '!' };
const ORDER = ['failed', 'error', 'skipped', 'passed'];
const PAGE = 200;
const OPENED = 5;
document.body.classList.add('js');

const unpack = ({ texts, rows }) =>
  rows.map(([name, suite, operations, form, checks, verdict, ms, requests, reason, findings]) => {
    const row = {
      name,
      suite: texts[suite],
      operations: operations.map((index) => texts[index]),
      form: texts[form],
      checks: checks.map((index) => texts[index]),
      verdict,
      ms,
      requests,
      reason: texts[reason],
      findings: findings.map((index) => texts[index]),
    };
    const searched = [row.suite, name, row.reason, ...row.operations, ...row.checks];
    return { ...row, hay: searched.join(' ').toLowerCase() };
  });
const detail = (row) => {
  const sent = row.requests === 1 ? '1 request' : `${row.requests} requests`;
  const box = make('div', { class: 'detail' }, make('p', {}, `${sent} · ${row.checks.join(', ')}`));
  if (row.reason !== '') box.append(make('p', {}, row.reason));
  for (const id of row.findings) {
    const title = $(`finding-${id}`)?.querySelector('h2').textContent ?? 'Open the finding';
    box.append(make('p', {}, make('a', { href: `#finding-${id}` }, title)));
  }
  return box;
};
const draw = (row) => {
  const head = make(
    'summary',
    {},
    make('span', { class: 'v', title: row.verdict }, MARKS[row.verdict] ?? '?'),
    make('span', { class: 'n' }, make('i', {}, row.suite), row.name),
    make('small', {}, row.ms < 1000 ? `${Math.round(row.ms)} ms` : `${(row.ms / 1000).toFixed(1)} s`),
  );
  const item = make('details', { class: row.verdict }, head);
  item.addEventListener('toggle', () => {
    if (item.open && item.children.length === 1) item.append(detail(row));
  });
  return make('li', {}, item);
};

// The search field, the verdict buttons and the button that clears a cell of the matrix.
function filterControls(filter, apply) {
  $('find').closest('.filters').hidden = false;
  let wait;
  $('find').addEventListener('input', (event) => {
    filter.text = event.target.value.toLowerCase();
    clearTimeout(wait);
    wait = setTimeout(apply, 120);
  });
  $('cell').addEventListener('click', () => {
    Object.assign(filter, { operation: '', check: '' });
    apply();
  });
  for (const chip of document.querySelectorAll('[data-verdict]')) {
    chip.addEventListener('click', () => {
      filter.verdict = filter.verdict === chip.dataset.verdict ? '' : chip.dataset.verdict;
      apply();
    });
  }
}

function tests() {
  const block = $('data');
  const list = $('rows');
  if (!block || !list) return () => {};
  const filter = { text: '', verdict: '', operation: '', check: '' };
  let data;
  let found = [];
  let drawn = 0;
  const load = () => {
    data ??= unpack(JSON.parse(block.textContent));
  };
  const fits = (row) =>
    (filter.verdict === '' || row.verdict === filter.verdict) &&
    (filter.operation === '' || row.operations.includes(filter.operation)) &&
    (filter.check === '' || row.checks.includes(filter.check)) &&
    filter.text.split(' ').every((word) => row.hay.includes(word));
  const more = () => {
    list.append(...found.slice(drawn, drawn + PAGE).map(draw));
    drawn = Math.min(found.length, drawn + PAGE);
    $('more').hidden = drawn >= found.length;
    $('more').textContent = `Show more (${found.length - drawn} left)`;
  };
  const apply = () => {
    load();
    found = data.filter(fits);
    if (filter.operation !== '') found.sort((a, b) => ORDER.indexOf(a.verdict) - ORDER.indexOf(b.verdict));
    drawn = 0;
    list.replaceChildren();
    more();
    // A square is selected to see what failed there.
    if (filter.operation !== '')
      for (const item of [...list.querySelectorAll('details.failed, details.error')].slice(0, OPENED)) item.open = true;
    if (found.length === 0) list.append(make('li', { class: 'hint' }, 'No tests match.'));
    for (const chip of document.querySelectorAll('[data-verdict]'))
      chip.setAttribute('aria-pressed', String(chip.dataset.verdict === filter.verdict));
    $('cell').hidden = filter.operation === '' && filter.check === '';
    $('cell').textContent = `${filter.operation} · ${filter.check} ✕`;
  };
  filterControls(filter, apply);
  $('more').addEventListener('click', more);
  const watcher = new IntersectionObserver(
    (entries) => {
      if (!entries.some((entry) => entry.isIntersecting)) return;
      watcher.disconnect();
      if (drawn === 0) apply();
    },
    { rootMargin: '400px' },
  );
  watcher.observe($('tests'));
  return (operation, check) => {
    Object.assign(filter, { operation, check, verdict: '' });
    apply();
    location.hash = '#tests';
    $('tests').scrollIntoView();
  };
}

const cellOf = (event) => event.target.closest?.('td');
const isTested = (cell) => cell.className !== '';

// The state of a cell in words; an operation without tests of a check has a cell without classes.
function cellWords(cell) {
  const [a = 'none', b = 'none'] = [...cell.classList].slice(0, 2).map((name) => name.slice(2));
  const [first, ...others] = (cell.parentElement.dataset.forms ?? '').split(' ');
  return others.length > 0 && a !== b
    ? `${first} ${stateWords(a)} · ${others.join(' ')} ${stateWords(b)}`
    : stateWords(a);
}

// Arrow keys move between the cells, Enter and the space bar show the tests of a cell.
function matrixKeys(table, tell, choose) {
  let current = table.querySelector('td.a-failed, td.b-failed') ?? table.querySelector('td[class]');
  if (current) current.tabIndex = 0;
  const go = (cell) => {
    if (!cell) return;
    if (current) current.removeAttribute('tabindex');
    current = cell;
    cell.tabIndex = 0;
    cell.focus();
    tell(cell);
  };
  const rows = () =>
    [...table.tBodies]
      .flatMap((body) => [...body.rows])
      .filter((row) => !row.classList.contains('group') && row.offsetParent !== null);
  const steps = { ArrowLeft: [0, -1], ArrowRight: [0, 1], ArrowUp: [-1, 0], ArrowDown: [1, 0] };
  table.addEventListener('keydown', (event) => {
    if (event.target.tagName !== 'TD') return;
    if (event.key === 'Enter' || event.key === ' ') {
      event.preventDefault();
      if (isTested(event.target)) choose(event.target);
      return;
    }
    const step = steps[event.key];
    if (!step) return;
    event.preventDefault();
    const all = rows();
    const row = all[all.indexOf(event.target.parentElement) + step[0]];
    const next = row?.cells[event.target.cellIndex + step[1]];
    if (next && next.tagName === 'TD') go(next);
  });
}

function matrix(showTests) {
  const table = $('matrix');
  if (!table) return;
  const heads = [...table.tHead.rows[0].cells];
  const place = (cell) => ({
    operation: cell.parentElement.dataset.operation,
    check: heads[cell.cellIndex].textContent,
  });
  const tell = (cell) => {
    const { operation, check } = place(cell);
    $('inspector').textContent = `${operation} · ${check} · ${cell.ariaLabel}`;
  };
  const choose = (cell) => {
    const { operation, check } = place(cell);
    showTests(operation, check);
  };
  for (const cell of table.querySelectorAll('td')) cell.ariaLabel = cellWords(cell);
  const only = document.querySelector('[data-only]');
  if (only) {
    only.hidden = false;
    only.addEventListener('change', (event) => table.classList.toggle('only-red', event.target.checked));
  }
  table.addEventListener('mouseover', (event) => {
    const cell = cellOf(event);
    if (cell) tell(cell);
  });
  table.addEventListener('click', (event) => {
    const cell = cellOf(event);
    if (cell && isTested(cell)) choose(cell);
  });
  matrixKeys(table, tell, choose);
  table.addEventListener('focusin', (event) => {
    const cell = cellOf(event);
    if (cell) tell(cell);
  });
}
