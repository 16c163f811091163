import { html } from './markup.ts';
import type { Markup, Fragment } from './markup.ts';

/** A column; `row`: headers of the rows, `number`: aligned to the right. */
export interface Column {
  readonly title?: string;
  readonly kind?: 'row' | 'number';
}

export function table(columns: readonly Column[], rows: readonly (readonly Fragment[])[], tableClass = 'list'): Markup {
  const className = ({ kind }: Column): Fragment => (kind === 'number' ? html` class="number"` : '');
  const head = html`<thead>
    <tr>
      ${columns.map((column) => html`<th scope="col" ${className(column)}>${column.title ?? ''}</th>`)}
    </tr>
  </thead>`;
  const cell = (part: Fragment, column: Column): Markup =>
    column.kind === 'row' ? html`<th scope="row">${part}</th>` : html`<td${className(column)}>${part}</td>`;
  return html`<table class="${tableClass}">
    ${columns.some(({ title }) => title !== undefined) ? head : ''}
    <tbody>
      ${rows.map(
        (row) =>
          html`<tr>
            ${columns.map((column, index) => cell(row[index], column))}
          </tr>`,
      )}
    </tbody>
  </table>`;
}

export function definitions(listClass: string, rows: readonly (readonly [term: string, value: Fragment])[]): Markup {
  return html`<dl class="${listClass}">
    ${rows.map(
      ([term, value]) =>
        html`<div>
          <dt>${term}</dt>
          <dd>${value}</dd>
        </div>`,
    )}
  </dl>`;
}
