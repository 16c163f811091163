// Load: figures, charts and tables by scenario.
const MOST_TICKS = 900;

function scenarioOf(name) {
  let scenario = state.scenarios.get(name);
  if (!scenario) {
    scenario = { name, ticks: [], done: undefined, now: undefined, parts: new Map() };
    state.scenarios.set(name, scenario);
  }
  dirty.add('load');
  return scenario;
}

function addTick(tick) {
  const scenario = scenarioOf(tick.scenario);
  scenario.ticks.push(tick);
  if (scenario.ticks.length > MOST_TICKS) scenario.ticks.shift();
  for (const part of tick.parts ?? []) {
    const key = part.part === part.operation ? part.part : `${part.part} · ${part.operation}`;
    const { part: name, operation } = part;
    const sum = scenario.parts.get(key) ?? { name, operation, requests: 0, errors: {}, statuses: {}, p99: 0 };
    sum.requests += part.requests;
    sum.p99 = part.latencyMs?.p99 ?? sum.p99;
    for (const [name, count] of Object.entries(part.errors ?? {})) sum.errors[name] = (sum.errors[name] ?? 0) + count;
    for (const [name, count] of Object.entries(part.statuses ?? {}))
      sum.statuses[name] = (sum.statuses[name] ?? 0) + count;
    scenario.parts.set(key, sum);
  }
}

const svg = (tag, attributes, ...children) => {
  const element = document.createElementNS('http://www.w3.org/2000/svg', tag);
  for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, value);
  element.append(...children);
  return element;
};

// From 0 to the highest value; `log`: powers of ten around the values.
function scaleOf(values, log) {
  const most = Math.max(log ? 1e-3 : 1, ...values);
  if (!log) return { low: 0, high: most * 1.08, place: (value) => value / (most * 1.08) };
  const least = Math.min(...values.filter((value) => value > 0), most);
  const [from, to] = [Math.floor(Math.log10(least)), Math.ceil(Math.log10(most) + 1e-9)];
  const place = (value) => (Math.log10(Math.max(value, 10 ** from)) - from) / Math.max(1, to - from);
  return { low: 10 ** from, high: 10 ** to, place };
}

// Lines over the seconds; `limit` is a threshold.
function chart(title, series, { text, limit, log = false }) {
  const points = series[0].values.length;
  const scale = scaleOf([...series.flatMap(({ values }) => values), ...(limit === undefined ? [] : [limit])], log);
  const [width, height] = [600, 140];
  const x = (index) => (points < 2 ? 0 : (index / (points - 1)) * width);
  const y = (value) => height - scale.place(value) * height;
  const lines = series.map(({ values, tone }) =>
    svg('polyline', {
      class: `line ${tone}`,
      points: values.map((value, index) => `${x(index).toFixed(1)},${y(value).toFixed(1)}`).join(' '),
    }),
  );
  if (limit !== undefined) lines.push(svg('line', { class: 'limit', x1: 0, x2: width, y1: y(limit), y2: y(limit) }));
  const legend = make('p', { class: 'live-legend' }, make('b', {}, title));
  for (const { name, values, tone } of series)
    legend.append(make('span', { class: tone }, `${name} ${text(values.at(-1) ?? 0)}`));
  if (limit !== undefined) legend.append(make('span', { class: 'limit' }, `threshold ${text(limit)}`));
  const picture = svg(
    'svg',
    { viewBox: `0 0 ${width} ${height}`, preserveAspectRatio: 'none', role: 'img', 'aria-label': title },
    ...lines,
  );
  return make(
    'figure',
    { class: 'live-chart' },
    legend,
    picture,
    make('figcaption', {}, `${text(scale.low)} to ${text(scale.high)}${log ? ', logarithmic' : ''} · ${points} s`),
  );
}

const MS = { ms: 1, s: 1000, min: 60_000, us: 0.001, µs: 0.001 };

// `p99<200`, `p99{ingestion}<1s` as milliseconds, of the whole scenario or of a part; other thresholds have no line.
function limitOf(scenario, metric, part) {
  const given =
    scenario.done?.thresholds?.map(({ expression }) => expression) ??
    scenario.now?.thresholds ??
    state.start?.thresholds ??
    [];
  for (const expression of given) {
    const found = /^\s*([\w.]+)\s*(?:\{(.*)\})?\s*<=?\s*([\d.]+)\s*(µs|us|ms|min|s)?\s*$/.exec(expression);
    if (found && found[1] === metric && found[2] === part) return Number(found[3]) * (MS[found[4]] ?? 1);
  }
  return undefined;
}

function tableOf(heads, rows) {
  const head = make('tr', {}, ...heads.map((name) => make('th', { scope: 'col' }, name)));
  const body = rows.map((row) => make('tr', {}, ...row.map((text) => make('td', {}, text))));
  return make(
    'div',
    { class: 'scroll' },
    make('table', { class: 'list live-table' }, make('thead', {}, head), make('tbody', {}, ...body)),
  );
}

const counts = (map) =>
  Object.entries(map)
    .map(([name, count]) => `${name} ×${number(count)}`)
    .join(', ') || '–';

// A flow is offered iterations, and what is succeeded are requests.
const unitsOf = ({ done, now, ticks }) =>
  done?.detail?.flow || now?.offers || ticks.at(-1)?.offers ? [' iterations', ' requests'] : ['', ''];

// Of the last second, or of the whole scenario once it has ended.
function scenarioFigures({ done, now, ticks }) {
  const last = now ?? ticks.at(-1);
  const shown = done ?? last;
  if (!shown) return '';
  const [iterations, requests] = unitsOf({ done, now, ticks });
  const { offeredRate, rate, p50 = shown.latencyMs?.p50, p99 = shown.latencyMs?.p99 } = shown;
  const errors = done ? Object.values(done.errors).reduce((sum, count) => sum + count, 0) : last.errors;
  return definitions('figures', [
    ...(done && offeredRate === 0 ? [] : [['offered', `${number(offeredRate)}${iterations}/s`]]),
    ['succeeded', `${number(rate)}${requests}/s`],
    ['p50', responseTime(p50 ?? 0)],
    ['p99', responseTime(p99 ?? 0)],
    done ? ['requests', number(done.requests)] : ['in flight', number(last.inFlight)],
    ['errors', number(errors)],
    ...(last?.fleet ? [['agents', `${last.fleet.agents} of ${last.fleet.of}`]] : []),
  ]);
}

function charts(scenario) {
  const of = (name, tone, read) => ({ name, tone, values: scenario.ticks.map(read) });
  const [iterations, requests] = unitsOf(scenario);
  const rates = [
    of(`offered${iterations}`, 'k2', (tick) => tick.offeredRate),
    of(`succeeded${requests}`, 'k1', (tick) => tick.rate),
  ];
  const latencies = [of('p50', 'k4', (tick) => tick.latencyMs.p50), of('p99', 'k3', (tick) => tick.latencyMs.p99)];
  const others = [of('errors', 'k5', (tick) => tick.errors), of('in flight', 'k1', (tick) => tick.inFlight)];
  return make(
    'div',
    { class: 'live-charts' },
    chart('Rate', rates, { text: (value) => `${number(value)}/s` }),
    chart('Latency', latencies, { text: time, limit: limitOf(scenario, 'p99'), log: true }),
    chart('Errors and in flight', others, { text: number }),
  );
}

function results(done) {
  const judged = done.thresholds.map((each) =>
    make(
      'p',
      { class: each.held ? 't-passed' : 't-failed' },
      `${each.held ? '✓' : '✗'} ${each.expression} measured ${each.measured}`,
    ),
  );
  return [...judged, ...(done.notes ?? []).map((note) => make('p', { class: 'hint' }, note))];
}

function drawScenario(scenario) {
  const { name, ticks, done, now, parts } = scenario;
  const last = now ?? ticks.at(-1);
  const box = make('article', { class: 'live-scenario' }, make('h3', {}, name), scenarioFigures(scenario));
  const zones = last?.fleet?.zones ?? [];
  if (zones.length > 0) {
    const rows = zones.map(({ zone, agents, offeredRate, rate }) => [
      zone,
      number(agents),
      `${number(offeredRate)}/s`,
      `${number(rate)}/s`,
    ]);
    box.append(tableOf(['zone', 'agents', 'offered', 'succeeded'], rows));
  }
  if (ticks.length > 1) box.append(charts(scenario));
  if (!done && now?.steps?.length > 0) box.append(stepsTable(now.steps));
  if (parts.size > 0) {
    const rows = [...parts].map(([key, { name: part, operation, requests, p99, statuses, errors }]) => {
      const limit = limitOf(scenario, 'p99', part) ?? limitOf(scenario, 'p99', operation);
      const tone = p99 > limit ? 't-failed' : 't-passed';
      const judged = limit === undefined ? '' : make('span', { class: tone }, ` · threshold ${time(limit)}`);
      return [key, number(requests), make('span', {}, responseTime(p99), judged), counts(statuses), counts(errors)];
    });
    box.append(
      tableOf(['part and operation', 'requests, with warm-up', 'p99, last second', 'statuses', 'errors'], rows),
    );
  }
  if (done) box.append(...results(done));
  else if (now?.thresholds?.length > 0)
    box.append(make('p', { class: 'hint' }, `Thresholds: ${now.thresholds.join(', ')}`));
  return box;
}

const stepsTable = (steps) =>
  tableOf(
    ['offered', 'succeeded', 'p99', 'met', 'reason'],
    steps.map((step) => [
      `${number(step.offeredRate)}/s`,
      `${number(step.rate)}/s`,
      responseTime(step.latencyMs.p99),
      step.held ? '✓' : '✗',
      step.reason,
    ]),
  );

function drawLoad() {
  $('load-part').hidden = state.scenarios.size === 0 && !state.capacity;
  const boxes = [...state.scenarios.values()].map(drawScenario);
  if (state.capacity) {
    const { scenario, found, low, high, limit, steps } = state.capacity;
    const interval = low < high ? ` (${number(low)} to ${number(high)})` : '';
    boxes.unshift(
      make(
        'article',
        { class: 'live-scenario' },
        make('h3', {}, `${scenario} sustains ${found}${interval}, ${limit}`),
        stepsTable(steps),
      ),
    );
  }
  $('load').replaceChildren(...boxes);
}
