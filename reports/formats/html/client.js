// Theme, pages of findings, copying, charts and keys of the report; starts what the other scripts declare.
function themes() {
  const root = document.documentElement;
  const order = ['', 'light', 'dark'];
  let theme = '';
  try {
    theme = localStorage.getItem('assay-theme') ?? '';
  } catch {
    theme = '';
  }
  const show = () => {
    if (theme === '') delete root.dataset.theme;
    else root.dataset.theme = theme;
    $('theme').textContent = `Theme: ${theme || 'auto'}`;
  };
  $('theme').addEventListener('click', () => {
    theme = order[(order.indexOf(theme) + 1) % order.length];
    try {
      localStorage.setItem('assay-theme', theme);
    } catch {
      /* private window: the choice lasts as long as the page */
    }
    show();
  });
  show();
}

function views() {
  let last = 0;
  const show = () => {
    const id = decodeURIComponent(location.hash.slice(1));
    const page = id.startsWith('finding-') ? $(id) : null;
    document.querySelector('article.shown')?.classList.remove('shown');
    if (page === null) {
      const came = document.body.dataset.view === 'finding';
      delete document.body.dataset.view;
      if (came && (id === '' || id === 'verdict')) scrollTo(0, last);
      else if (id !== '') {
        const target = $(id);
        const fold = target?.closest('details');
        if (fold) fold.open = true;
        target?.scrollIntoView();
      }
    } else {
      if (document.body.dataset.view !== 'finding') last = scrollY;
      document.body.dataset.view = 'finding';
      page.classList.add('shown');
      scrollTo(0, 0);
      page.focus({ preventScroll: true });
    }
    for (const link of document.querySelectorAll('.side a'))
      link.ariaCurrent = link.hash === `#${page === null ? id : 'findings'}` ? 'true' : null;
  };
  addEventListener('hashchange', show);
  if (/^#(finding|requirement)-/.test(location.hash)) show();
}

function copying() {
  document.addEventListener('click', async (event) => {
    const button = event.target.closest?.('[data-copy]');
    if (!button) return;
    const source = button.parentElement.querySelector('code');
    let done = true;
    try {
      await navigator.clipboard.writeText(source.textContent);
    } catch {
      source.hidden = false;
      getSelection().selectAllChildren(source);
      done = document.execCommand('copy');
      source.hidden = button.closest('.actions') !== null;
    }
    button.dataset.name ??= button.textContent;
    button.textContent = done ? 'Copied' : 'Press Ctrl+C';
    setTimeout(() => {
      button.textContent = button.dataset.name;
    }, 1600);
  });
}

function charts() {
  for (const svg of document.querySelectorAll('svg[data-points]')) {
    const { x, names, left, right } = JSON.parse(svg.dataset.points);
    const out = svg.closest('figure').querySelector('.readout');
    const line = svg.querySelector('.cross');
    svg.addEventListener('pointermove', (event) => {
      const box = svg.getBoundingClientRect();
      const at = ((event.clientX - box.left) / box.width) * svg.viewBox.baseVal.width;
      let best = 0;
      x.forEach((point, index) => {
        if (Math.abs(point[0] - at) < Math.abs(x[best][0] - at)) best = index;
      });
      if (at < left - 8 || at > right + 8) return;
      line.setAttribute('x1', x[best][0]);
      line.setAttribute('x2', x[best][0]);
      line.removeAttribute('visibility');
      out.textContent = [x[best][1], ...names.map((name, index) => `${name} ${x[best][2][index] ?? '–'}`)].join(' · ');
    });
    svg.addEventListener('pointerleave', () => {
      line.setAttribute('visibility', 'hidden');
      out.textContent = '\u00a0';
    });
  }
}

function keys() {
  const pages = [...document.querySelectorAll('article.finding')];
  const move = (by) => {
    const at = pages.findIndex((page) => page.classList.contains('shown'));
    const next = pages[at === -1 ? (by > 0 ? 0 : pages.length - 1) : at + by];
    if (next) location.hash = `#${next.id}`;
  };
  // Elements that a finding's page hides can be focused after the overview is shown.
  const goTo = (id, focus) => {
    if (document.body.dataset.view === 'finding') addEventListener('hashchange', focus, { once: true });
    location.hash = `#${id}`;
    focus();
  };
  const actions = {
    j: () => move(1),
    k: () => move(-1),
    Escape: () => {
      if (document.body.dataset.view) location.hash = '#verdict';
    },
    t: () => $('theme').click(),
    '?': () => $('keys').showModal(),
    '/': () => goTo('tests', () => $('find')?.focus()),
    m: () => goTo('operations', () => document.querySelector('#matrix td[tabindex="0"]')?.focus()),
    c: () => document.querySelector('article.shown .copy [data-copy]')?.click(),
  };
  addEventListener('keydown', (event) => {
    if (
      event.ctrlKey ||
      event.metaKey ||
      event.altKey ||
      $('keys').open ||
      /^(INPUT|TEXTAREA|SELECT)$/.test(event.target.tagName)
    )
      return;
    const act = actions[event.key];
    if (!act) return;
    event.preventDefault();
    act();
  });
  $('help').addEventListener('click', () => $('keys').showModal());
}

function printing() {
  let opened = [];
  addEventListener('beforeprint', () => {
    opened = [...document.querySelectorAll('main > section details:not([open])')];
    for (const item of opened) item.open = true;
  });
  addEventListener('afterprint', () => {
    for (const item of opened) item.open = false;
  });
}

themes();
copying();
matrix(tests());
findings();
views();
charts();
keys();
printing();
