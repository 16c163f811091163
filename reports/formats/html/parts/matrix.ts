import { groupBy } from '../../../group.ts';
import { count } from '../../../text/numbers.ts';
import type { ReportView } from '../../../view.ts';
import { html } from '../markup.ts';
import type { Markup } from '../markup.ts';
import { matrixOf, worse } from '../matrix-data.ts';
import type { CellState, Matrix, MatrixRow } from '../matrix-data.ts';

/** More rows than this, and only those with something to look at are drawn. */
const ROWS = 250;
const GLYPH = { none: '', skipped: '', kept: '', warned: '!', error: '!', broken: '✗' } as const satisfies Record<
  CellState,
  string
>;

/** Operations by check; each cell is split by form. */
export function matrixSection(view: ReportView): Markup {
  const matrix = matrixOf(view);
  if (matrix.rows.length === 0 || matrix.checks.length === 0) return html``;
  const rows =
    matrix.rows.length <= ROWS
      ? matrix.rows
      : matrix.rows.toSorted((a, b) => Number(a.worst === 'kept') - Number(b.worst === 'kept')).slice(0, ROWS);
  const rest = matrix.rows.length - rows.length;
  const sections = groupBy(rows, (row) => row.operation.section);
  return html`<section id="operations">
    <h2>Operations by check</h2>
    <p class="hint">
      Each square is one check of one operation: left half the first form, right half the second. Choose one to see its
      tests.
    </p>
    <ul class="legend">
      <li><b class="c broken">✗</b> broken</li>
      <li><b class="c warned">!</b> warning or known</li>
      <li><b class="c kept"></b> kept</li>
      <li><b class="c skipped"></b> skipped</li>
      <li><b class="c none"></b> not tried</li>
    </ul>
    <label class="toggle" hidden data-only><input type="checkbox" id="only-red" /> only operations with findings</label>
    <div class="scroll" tabindex="-1">
      <table class="matrix" id="matrix">
        <thead>
          <tr>
            <th class="corner" scope="col">Operation</th>
            ${matrix.checks.map((check) => headCell(check, matrix))}
          </tr>
        </thead>
        ${[...sections].map(
          ([section, members]) =>
            html`<tbody>
              ${
                section === ''
                  ? ''
                  : html`<tr class="group">
                      <th scope="rowgroup" colspan="${matrix.checks.length + 1}"><span>${section}</span></th>
                    </tr>`
              }${members.map((row) => rowMarkup(row, matrix.checks))}
            </tbody>`,
        )}
      </table>
    </div>
    <p class="inspector" id="inspector" role="status" aria-live="polite">&nbsp;</p>
    ${rest > 0 ? html`<p class="hint">${count(rest, 'more operation')} ${rest === 1 ? 'is' : 'are'} not drawn; those with something to look at come first.</p>` : ''}
  </section>`;
}

function headCell(check: string, matrix: Matrix): Markup {
  const broken = matrix.rows.some((row) => [...(row.cells.get(check)?.values() ?? [])].includes('broken'));
  return html`<th scope="col" ${broken ? html` class="red"` : ''}><span>${check}</span></th>`;
}

function rowMarkup(row: MatrixRow, checks: readonly string[]): Markup {
  const red = row.worst === 'broken' || row.worst === 'warned' || row.worst === 'error';
  return html`<tr${red ? '' : html` class="calm"`} data-forms="${row.forms.join(' ')}"><th scope="row"${row.worst === 'broken' ? html` class="red"` : ''}>${row.operation.id}</th>${checks.map((check) => cellMarkup(row, check))}</tr>`;
}

function cellMarkup(row: MatrixRow, check: string): Markup {
  const cell = row.cells.get(check);
  if (cell === undefined) return html`<td></td>`;
  const [first = 'none', ...others] = row.forms.map((form) => cell.get(form) ?? 'none');
  const second = others.length === 0 ? first : others.reduce<CellState>(worse, 'none');
  const glyph = GLYPH[worse(first, second)];
  const half = glyph === '' || first === second ? '' : worse(first, second) === first ? ' l' : ' r';
  return html`<td class="a-${first} b-${second}${half}">${glyph}</td>`;
}
