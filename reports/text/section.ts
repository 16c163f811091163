/** `AI jobs` of `4 AI jobs`, `Section 4` of `4`. */
export function sectionName(section: string): string {
  const [, number = '', name = ''] = /^(\d[\d.]*)\s*(.*)$/s.exec(section) ?? [];
  return name !== '' ? name : number === '' ? section : `Section ${number}`;
}

/** `Section 4: AI jobs` of `4 AI jobs`. */
export function sectionTitle(section: string): string {
  const [, number = '', name = ''] = /^(\d[\d.]*)\s*(.*)$/s.exec(section) ?? [];
  return number === '' ? section : `Section ${number}${name === '' ? '' : `: ${name}`}`;
}
