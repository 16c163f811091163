import { groupBy } from '../../../../spec/group-by.ts';
import { count } from '../../../text/numbers.ts';
import { sectionName } from '../../../text/section.ts';
import type { ReportView } from '../../../view.ts';
import { html } from '../markup.ts';
import type { Markup } from '../markup.ts';
import { byWorst, matrixOf, worse } from '../matrix-data.ts';
import type { CellState, Matrix, MatrixRow } from '../matrix-data.ts';

/** Most rows; if there are more, those with the worst state are shown. */
const ROWS = 250;
const GLYPH = {
  none: '',
  skipped: '–',
  passed: '',
  stopped: '/',
  warned: '!',
  error: '!',
  failed: '✗',
} as const satisfies Record<CellState, string>;

export const LEGEND = html`<ul class="legend">
  <li><b class="c failed">✗</b> failed</li>
  <li><b class="c warned">!</b> warning or known finding</li>
  <li><b class="c stopped">/</b> stopped at a finding of another operation</li>
  <li><b class="c passed"></b> passed</li>
  <li><b class="c skipped">–</b> skipped</li>
  <li><b class="c none"></b> not tested</li>
</ul>`;

/** Operations by check; each cell is split by form. */
export function matrixSection(view: ReportView): Markup {
  const matrix = matrixOf(view);
  if (matrix.rows.length === 0 || matrix.checks.length === 0) return html``;
  const rows = matrix.rows.length <= ROWS ? matrix.rows : matrix.rows.toSorted(byWorst).slice(0, ROWS);
  const rest = matrix.rows.length - rows.length;
  const sections = groupBy(rows, (row) => row.operation.section);
  return html`<section id="operations">
    <h2>Operations by check</h2>
    <p class="hint">
      Each square is one check of one operation${halves(matrix)}. Select a square to see its tests.
    </p>
    ${LEGEND}
    ${rows.some(isRed) ? html`<label class="toggle" hidden data-only><input type="checkbox" id="only-red" /> only operations with findings</label>` : ''}
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
                      <th scope="rowgroup" colspan="${matrix.checks.length + 1}"><span>${sectionName(section)}</span></th>
                    </tr>`
              }${members.map((row) => rowMarkup(row, matrix.checks))}
            </tbody>`,
        )}
      </table>
    </div>
    <p class="inspector" id="inspector" role="status" aria-live="polite"></p>
    ${rest > 0 ? html`<p class="hint">${count(rest, 'more operation')} not shown. Operations with findings are listed first.</p>` : ''}
  </section>`;
}

function halves({ rows }: Matrix): string {
  const [first, ...others] = rows.toSorted((a, b) => b.forms.length - a.forms.length)[0]?.forms ?? [];
  return first === undefined || others.length === 0
    ? ''
    : `: the left half in ${first}, the right half in ${others.join(', ')}`;
}

/** On a narrow screen the middle is cut: the method and the last segment tell operations apart. */
function operationName(id: string): Markup {
  const last = id.lastIndexOf('/');
  return html`<span class="operation-name"><span>${id.slice(0, last)}</span><span>${id.slice(last)}</span></span>`;
}

function headCell(check: string, matrix: Matrix): Markup {
  const failed = matrix.rows.some((row) => [...(row.cells.get(check)?.values() ?? [])].includes('failed'));
  return html`<th scope="col" ${failed ? html` class="red"` : ''}><span>${check}</span></th>`;
}

function rowMarkup(row: MatrixRow, checks: readonly string[]): Markup {
  return html`<tr${isRed(row) ? '' : html` class="calm"`} data-operation="${row.operation.id}" data-forms="${row.forms.join(' ')}"><th scope="row"${row.worst === 'failed' ? html` class="red"` : ''}>${operationName(row.operation.id)}${isReached(row) ? '' : html` <small>not reached</small>`}</th>${checks.map((check) => cellMarkup(row, check))}</tr>`;
}

function isRed({ worst }: MatrixRow): boolean {
  return worst === 'failed' || worst === 'warned' || worst === 'error';
}

function isReached({ operation }: MatrixRow): boolean {
  return Object.values(operation.forms).some(({ reached }) => reached);
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
