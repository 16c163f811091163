/** A text that is no JSON, and whether each deployment says so. */
export interface Malformed {
  readonly label: string;
  readonly certainty: 'certain' | 'lenient';
  readonly text: (body: string) => string;
}

/** Lenient readers take comments, single quotes, trailing commas and more; an object that never ends none of them takes. */
export const MALFORMED: readonly Malformed[] = [
  { label: 'an object that is not closed', certainty: 'certain', text: () => '{"name": "assay", "inner": {"a": 1}' },
  { label: 'an object that ends after a name', certainty: 'certain', text: () => '{"name": "assay", "inner"' },
  { label: 'the body without its last character', certainty: 'lenient', text: (body) => body.slice(0, -1) },
  { label: 'half of the body', certainty: 'lenient', text: (body) => body.slice(0, Math.ceil(body.length / 2)) },
  { label: 'a comma before the end', certainty: 'lenient', text: (body) => body.replace(/([}\]])\s*$/, ',$1') },
  { label: 'single quotes', certainty: 'lenient', text: (body) => body.replaceAll('"', `'`) },
  { label: 'a comment', certainty: 'lenient', text: (body) => `/* assay */ ${body}` },
  { label: 'something after the end', certainty: 'lenient', text: (body) => `${body} x` },
  { label: 'the body twice', certainty: 'lenient', text: (body) => `${body}${body}` },
  { label: 'a name without quotes', certainty: 'lenient', text: () => '{name: "assay"}' },
  { label: 'a number that JSON has not', certainty: 'lenient', text: () => '{"name": NaN}' },
  { label: 'a line break in a text', certainty: 'lenient', text: () => '{"name": "a\nb"}' },
  { label: 'a wrong escape', certainty: 'lenient', text: () => String.raw`{"name": "\x41"}` },
  { label: 'a bare word', certainty: 'lenient', text: () => 'assay' },
  { label: 'markup', certainty: 'lenient', text: () => '<name>assay</name>' },
  { label: 'nothing', certainty: 'lenient', text: () => '' },
  { label: 'white space only', certainty: 'lenient', text: () => '  \n' },
];
