import { isObject } from '../../json.ts';
import { pointerTo } from '../../pointer.ts';
import { contentOf, schemaAt } from './content.ts';
import { follow, textOf } from './read.ts';
import type { RequestBody, ResponseSpec } from '../../contract.ts';
import type { Json, JsonObject } from '../../json.ts';
import type { Place, Reading } from './read.ts';

/** Any answer. */
export const ANY: ResponseSpec = { status: 'default', description: '', content: [], headers: {} };

function headersOf(reading: Reading, place: Place): ResponseSpec['headers'] {
  const headers = place.node['headers'];
  if (!isObject(headers)) return {};
  return Object.fromEntries(
    Object.entries(headers).flatMap(([name, header]) => {
      const found = follow(reading.document, header, pointerTo(place.pointer, 'headers', name));
      if (found === undefined || name.toLowerCase() === 'content-type') return [];
      const schema = schemaAt(found.node, 'schema', found.pointer);
      return [
        [
          name.toLowerCase(),
          { required: found.node['required'] === true, ...(schema === undefined ? {} : { schema }) },
        ],
      ];
    }),
  );
}

function responseOf(reading: Reading, written: string, response: Json, pointer: string): ResponseSpec | undefined {
  const status = /^[1-5](xx|XX)$/.test(written) ? written.toUpperCase() : written;
  if (status !== 'default' && !/^[1-5](\d\d|XX)$/.test(status)) {
    if (!written.startsWith('x-')) {
      reading.report({
        code: 'status',
        severity: 'warning',
        pointer,
        message: `"${written}" is no status.`,
        mend: 'Use a status, 4XX or default; left out.',
      });
    }
    return undefined;
  }
  const place = follow(reading.document, response, pointer) ?? { node: {}, pointer };
  return {
    status,
    description: textOf(place.node, 'description') ?? '',
    content: contentOf(reading, place.node, place.pointer),
    headers: headersOf(reading, place),
  };
}

/** Responses of an operation; where none can be read, any answer is allowed. */
export function responsesOf(reading: Reading, operation: JsonObject, pointer: string): readonly ResponseSpec[] {
  const written = operation['responses'];
  const found = isObject(written)
    ? Object.entries(written).flatMap(
        ([status, response]) => responseOf(reading, status, response, pointerTo(pointer, 'responses', status)) ?? [],
      )
    : [];
  if (found.length > 0) return found;
  reading.report({
    code: 'responses-missing',
    severity: 'warning',
    pointer,
    message: 'No response is described.',
    mend: 'Describe at least the success; any answer is allowed.',
  });
  return [ANY];
}

/** The request body of an operation, where its method can have one. */
export function bodyOf(
  reading: Reading,
  method: string,
  operation: JsonObject,
  pointer: string,
): RequestBody | undefined {
  const place = follow(reading.document, operation['requestBody'], pointerTo(pointer, 'requestBody'));
  if (place === undefined) return undefined;
  const at = pointerTo(pointer, 'requestBody');
  if (method === 'GET' || method === 'HEAD' || method === 'TRACE') {
    reading.report({
      code: 'body-method',
      severity: 'warning',
      pointer: at,
      message: `${method} cannot carry a body.`,
      mend: 'Left out.',
    });
    return undefined;
  }
  if (method === 'DELETE') {
    reading.report({
      code: 'delete-body',
      severity: 'note',
      pointer: at,
      message: 'A DELETE with a body: some servers and gateways drop it.',
      mend: 'Sent as described.',
    });
  }
  const content = contentOf(reading, place.node, place.pointer);
  if (content.length === 0) {
    reading.report({
      code: 'body-content',
      severity: 'warning',
      pointer: at,
      message: 'The body has no media type.',
      mend: 'Left out.',
    });
    return undefined;
  }
  if (typeof place.node['required'] !== 'boolean') {
    reading.report({
      code: 'body-required',
      severity: 'note',
      pointer: at,
      message: 'The body does not say whether it is required.',
      mend: 'It is always sent, and leaving it out is not judged.',
    });
  }
  return { required: place.node['required'] === true, content };
}
