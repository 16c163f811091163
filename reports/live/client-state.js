// Figures and the state of the live page.
const definitions = (listClass, pairs) => {
  const items = pairs.map(([term, value]) => make('div', {}, make('dt', {}, term), make('dd', {}, value)));
  return make('dl', { class: listClass }, ...items);
};
const number = (value, digits = 0) => Number(value).toLocaleString('en-US', { maximumFractionDigits: digits });
const time = (ms) => {
  if (ms < 1000) return `${number(ms, ms < 10 ? 1 : 0)} ms`;
  const seconds = Math.round(ms / 1000);
  return seconds < 60 ? `${number(ms / 1000, 1)} s` : `${Math.floor(seconds / 60)} min ${seconds % 60} s`;
};
// No response takes no time: without any, there is no latency.
const responseTime = (ms) => (ms > 0 ? time(ms) : '–');
const state = {
  start: undefined,
  startedAt: Date.now(),
  passed: 0,
  failed: 0,
  known: 0,
  skipped: 0,
  requests: 0,
  suite: '',
  share: undefined,
  leftSeconds: undefined,
  isLeast: false,
  fleet: undefined,
  ended: undefined,
  verdict: undefined,
  findings: new Map(),
  operations: new Map(),
  scenarios: new Map(),
};
// Parts of the page that must be drawn again.
const dirty = new Set();
