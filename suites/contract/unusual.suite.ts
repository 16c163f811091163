import { isObject } from '../../spec/index.ts';
import type { Form, Json, Operation, Parameter } from '../../spec/index.ts';
import { requestToRefuse, validRequest } from '../../domain/requests.ts';
import type { RequestSpec, TestContext } from '../kit/context.ts';
import { defineForForms } from '../kit/define-test.ts';
import { openSession } from '../kit/session.ts';
import { parameterSchema } from '../kit/schema-parts.ts';

const session = await openSession();

/**
 * Percent-encoded texts, after the empty one: reserved characters and words, an unfinished query of a search engine, control
 * characters, markup, malformed UTF-8.
 */
const UNUSUAL_TEXTS = [
  '|%27|%22|null|%00|%25|%5B%5D|*|a%20AND%20(%7E%5E%3A%3F%2F|%5C|%F0%9F%92%8E|%E2%80%AE|..%2F..%2F|%3Cscript%3E|1%20OR%201%3D1|%FF%FE|%C3%28',
  'a'.repeat(2000),
].join('|');
const UNUSUAL_NUMBERS = [
  '-1|0|1|2147483647|2147483648|-2147483648|-2147483649|9007199254740993|9223372036854775807|9223372036854775808',
  '1.5|1e3|0x10|%2B1|NaN|٣|text|',
].join('|');
const UNUSUAL_BOOLEANS = 'true|false|True|TRUE|1|0|yes|maybe|on|';

for (const operation of session.contract.operations) {
  const parameters = operation.parameters.filter((each) => each.in === 'query');
  if (parameters.length > 0)
    defineForForms(session, {
      suite: 'contract/parameters',
      title: 'answers boundary and invalid values without a server error',
      operation,
      checks: ['no-server-error', 'answered'],
      requirements: ['errors.no-server-error'],
      cost: 40,
      run: (t, form) => sendUnusualValues(t, operation, form, parameters),
    });
  if (operation.body?.content.some(({ type }) => type.includes('json')) !== true) continue;
  defineForForms(session, {
    suite: 'contract/bodies',
    operation,
    title: 'answers unusual bodies and media types without a server error',
    checks: ['no-server-error', 'answered'],
    requirements: ['errors.no-server-error'],
    run: async (t, form) => {
      const { json, ...request } = await requestToRefuse(t, operation, form);
      // A lenient service may create an item: the clean-up finds it by the name in the body.
      const creates = session.knowledge.resources.some(({ create }) => create.id === operation.id);
      for (const [label, body] of unusualBodies(creates && isObject(json) ? json : {}))
        await t.send(operation, { ...request, body, valid: false, label });
    },
  });
}

async function sendUnusualValues(
  t: TestContext,
  operation: Operation,
  form: Form,
  parameters: readonly Parameter[],
): Promise<void> {
  const request = await validRequest(t, operation, form);
  const formIndex = operation.forms.indexOf(form);
  const sendValuesOf = async (parameter: Parameter): Promise<void> => {
    const { name } = parameter;
    const { [name]: _own, ...query } = request.query ?? {};
    const queries = [
      ...unusualValues(parameter).map((value) => `${name}=${value}`),
      `${name}=1&${name}=2`,
      `${name}[a]=1`,
      `${name}[a]=1&${name}[a]=2`,
    ];
    // Each value is sent through one form; the forms alternate.
    for (const rawQuery of queries.filter((_, index) => index % operation.forms.length === formIndex))
      await t.send(operation, {
        ...request,
        query,
        rawQuery,
        valid: false,
        label: rawQuery.slice(0, name.length + 41),
      });
  };
  await Promise.all(parameters.map(sendValuesOf));
}

function unusualValues(parameter: Parameter): readonly string[] {
  const { type } = parameterSchema(session.contract, parameter);
  const isNumber = type === 'integer' || type === 'number';
  return (isNumber ? UNUSUAL_NUMBERS : type === 'boolean' ? UNUSUAL_BOOLEANS : UNUSUAL_TEXTS).split('|');
}

type Body = NonNullable<RequestSpec['body']>;

const UNUSUAL_JSON = [
  ['an empty body', ''],
  ['null as body', 'null'],
  ['a text as body', '"text"'],
  ['a number as body', '17'],
  ['a body that ends too early', '{"assay":'],
  ['2,000 nested lists as body', `${'['.repeat(2000)}${']'.repeat(2000)}`],
] as const;

const JSON_TYPE = 'application/json';

/** Levels of nested objects, as of rules that contain rules. */
const LEVELS = 40;

/** The JSON in which each object whose only list is empty, such as a rule without further rules, is nested in itself. */
function nestedDeeply(value: Json): Json {
  if (Array.isArray(value)) return (value as readonly Json[]).map(nestedDeeply);
  if (!isObject(value)) return value;
  const nested = Object.entries(value).filter(([, member]) => Array.isArray(member) || isObject(member));
  const [[list, inner] = ['', null], ...others] = nested;
  if (others.length > 0 || !Array.isArray(inner) || inner.length > 0)
    return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, nestedDeeply(member)]));
  let whole: Json = value;
  for (let level = 0; level < LEVELS; level += 1) whole = { ...value, [list]: [whole] };
  return whole;
}

/** Malformed and unusual bodies, by what is unusual; the last ones contain all members of `json`. */
function unusualBodies(json: Readonly<Record<string, Json>>): readonly (readonly [what: string, Body])[] {
  const whole = JSON.stringify(json);
  const start = whole === '{}' ? '{' : `${whole.slice(0, -1)},`;
  const malformedUtf8 = Buffer.concat([Buffer.from(`${start}"`), Uint8Array.of(0xff, 0xfe), Buffer.from('":1}')]);
  return [
    ...UNUSUAL_JSON.map(([what, content]) => [what, { type: JSON_TYPE, content }] as const),
    // Lenient parsers read the first value only: its name tells what was created then.
    ['two values as body', { type: JSON_TYPE, content: `${whole} {}` }],
    ['a body that is not UTF-8', { type: JSON_TYPE, content: malformedUtf8 }],
    ['an XML body', { type: 'application/xml', content: '<assay/>' }],
    ['a form as body', { type: 'application/x-www-form-urlencoded', content: 'assay=1' }],
    ['a deeply nested body', { type: JSON_TYPE, content: JSON.stringify(nestedDeeply(json)) }],
    ['a body with an invalid Content-Type', { type: 'no media type', content: whole }],
    ['a body without Content-Type', { content: whole }],
  ];
}
