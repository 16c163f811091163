// Search and filters of the findings of the report.
function findings() {
  const box = document.querySelector('[data-finding-filters]');
  if (!box) return;
  box.hidden = false;
  const filter = { text: '', kind: '', word: '' };
  const rows = [...$('finding-rows').children];
  const fits = (row) =>
    (filter.kind === '' || row.dataset.kind === filter.kind) &&
    (filter.word === '' || row.dataset.word === filter.word) &&
    filter.text.split(' ').every((part) => row.dataset.hay.includes(part));
  const apply = () => {
    let shown = 0;
    for (const row of rows) {
      row.hidden = !fits(row);
      if (!row.hidden) shown += 1;
    }
    $('finding-none').hidden = shown > 0;
    for (const chip of box.querySelectorAll('button')) {
      const [name, value] = chip.dataset.findingKind
        ? ['kind', chip.dataset.findingKind]
        : ['word', chip.dataset.findingWord];
      chip.setAttribute('aria-pressed', String(filter[name] === value));
    }
  };
  $('find-finding').addEventListener('input', (event) => {
    filter.text = event.target.value.toLowerCase();
    apply();
  });
  box.addEventListener('click', (event) => {
    const chip = event.target.closest('button');
    if (!chip) return;
    const [name, value] = chip.dataset.findingKind
      ? ['kind', chip.dataset.findingKind]
      : ['word', chip.dataset.findingWord];
    filter[name] = filter[name] === value ? '' : value;
    apply();
  });
}
