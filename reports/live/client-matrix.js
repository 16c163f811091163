// The matrix is drawn on a canvas, which is fast with thousands of operations.
const CELL = 13;
const RANK = ['none', 'skipped', 'passed', 'stopped', 'warned', 'error', 'failed'];
const grid = { rows: [], checks: [], checkIndex: new Map(), cells: new Map(), changed: new Set(), whole: true };

function addOperation(id) {
  if (state.operations.has(id)) return;
  state.operations.set(id, grid.rows.length);
  grid.rows.push(id);
  grid.whole = true;
  dirty.add('matrix');
}

function raise(operation, check, value) {
  const row = state.operations.get(operation);
  if (row === undefined || value === 'none') return;
  if (!grid.checkIndex.has(check)) {
    grid.checkIndex.set(check, grid.checks.length);
    grid.checks.push(check);
    grid.whole = true;
  }
  const column = grid.checkIndex.get(check);
  const key = row * 1000 + column;
  const now = RANK.indexOf(value);
  if ((grid.cells.get(key) ?? 0) >= now) return;
  grid.cells.set(key, now);
  grid.changed.add(key);
  dirty.add('matrix');
}

/** On a narrow screen the middle is cut: the method and the last segment tell operations apart. */
function rowName(id) {
  const last = id.lastIndexOf('/');
  return make(
    'div',
    { title: id, class: 'operation-name' },
    make('span', {}, id.slice(0, last)),
    make('span', {}, id.slice(last)),
  );
}

const TONES = ['--untested', '--untested', '--passed-soft', '--stopped', '--warned-fill', '--warned-fill', '--failed'];
const ON_TONES = ['', '--ink', '', '--ink', '--on-warned', '--on-warned', '--on-failed'];
const GLYPHS = ['', '–', '', '/', '!', '!', '✗'];

function drawMatrix() {
  const canvas = $('cells');
  const scale = devicePixelRatio || 1;
  const context = canvas.getContext('2d');
  if (grid.whole) {
    $('matrix-part').hidden = grid.rows.length === 0 || grid.checks.length === 0;
    canvas.width = grid.checks.length * CELL * scale;
    canvas.height = grid.rows.length * CELL * scale;
    canvas.style.setProperty('width', `${grid.checks.length * CELL}px`);
    canvas.style.setProperty('height', `${grid.rows.length * CELL}px`);
    const shown = $('rows').children.length;
    $('rows').append(...grid.rows.slice(shown).map(rowName));
    const named = $('checks').children.length;
    $('checks').append(...grid.checks.slice(named).map((name) => make('span', {}, name)));
  }
  const style = getComputedStyle(document.documentElement);
  const probe = $('probe') ?? document.body.appendChild(make('i', { id: 'probe', hidden: '' }));
  const colourOf = (name) => {
    probe.style.setProperty('color', `var(${name})`);
    return getComputedStyle(probe).color || style.color;
  };
  const [colours, onColours] = [TONES.map(colourOf), ON_TONES.map(colourOf)];
  context.textAlign = 'center';
  context.textBaseline = 'middle';
  context.font = `bold ${CELL - 4}px sans-serif`;
  context.setTransform(scale, 0, 0, scale, 0, 0);
  for (const key of grid.whole ? grid.cells.keys() : grid.changed) {
    const [row, column] = [Math.floor(key / 1000), key % 1000];
    const state = grid.cells.get(key);
    context.fillStyle = colours[state];
    context.fillRect(column * CELL, row * CELL, CELL - 2, CELL - 2);
    if (GLYPHS[state] === '') continue;
    context.fillStyle = onColours[state];
    context.fillText(GLYPHS[state], column * CELL + CELL / 2 - 1, row * CELL + CELL / 2 - 0.5);
  }
  grid.whole = false;
  grid.changed.clear();
}

function matrixPointer() {
  $('cells').addEventListener('pointermove', ({ offsetX, offsetY }) => {
    const [row, column] = [Math.floor(offsetY / CELL), Math.floor(offsetX / CELL)];
    const value = RANK[grid.cells.get(row * 1000 + column) ?? 0];
    const id = grid.rows[row];
    const check = grid.checks[column];
    if (id && check)
      $('inspector').textContent = `${id} · ${check} · ${value === 'none' ? 'not tested yet' : stateWords(value)}`;
  });
  matchMedia('(prefers-color-scheme: dark)').addEventListener('change', () => {
    grid.whole = true;
    dirty.add('matrix');
    schedule();
  });
}
