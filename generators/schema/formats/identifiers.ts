import type { Prng } from '../../core/prng.ts';
import type { Format } from './format.ts';

const HEX = Array.from({ length: 256 }, (_, value) => value.toString(16).padStart(2, '0'));

export function randomUuid(random: Prng): string {
  const [one, two, three, four] = [random.bits(), random.bits(), random.bits(), random.bits()];
  const version = hex(0x4000 | (two & 0x0fff));
  const variant = hex(0x8000 | (three & 0x3fff));
  return `${hex(one >>> 16)}${hex(one)}-${hex(two >>> 16)}-${version}-${variant}-${hex(three >>> 16)}${hex(four >>> 16)}${hex(four)}`;
}

/** The last 16 bits. */
function hex(bits: number): string {
  return `${HEX[(bits >>> 8) & 0xff]}${HEX[bits & 0xff]}`;
}

export const uuid: Format = {
  isLenient: true,
  simplest: '00000000-0000-0000-0000-000000000000',
  samples: [
    '00000000-0000-0000-0000-000000000000',
    'FFFFFFFF-FFFF-FFFF-FFFF-FFFFFFFFFFFF',
    'ABCDEF01-2345-6789-ABCD-EF0123456789',
    '00000000-0000-4000-8000-000000000001',
    '6ba7b810-9dad-11d1-80b4-00c04fd430c8',
    '017f22e2-79b0-7cc3-98c4-dc0c0c07398f',
  ],
  generate: randomUuid,
};

export const jsonPointer: Format = {
  simplest: '',
  samples: ['', '/', '/a', '/a/0', '/a~0b', '/a~1b', '/\u00E9', '/ '],
  generate: (random) => `/${random.pick(['name', 'a', 'items', 'b~1c'])}/${random.int(0, 9)}`,
};

export const relativeJsonPointer: Format = {
  simplest: '0',
  samples: ['0', '0#', '1/a', '2/0/b'],
  generate: (random) => `${random.int(0, 5)}/a${random.int(0, 9)}`,
};

export const regex: Format = {
  simplest: 'a',
  samples: ['', 'a', '^a+$', '[a-z]{2,3}', '(a|b)*c', '\\d+', '.'],
  generate: (random) => `^[a-z]{${random.int(0, 5)}}$`,
};

function bytes(random: Prng, length: number): string {
  return Buffer.from(Array.from({ length }, () => random.int(0, 255))).toString('base64');
}

/** Base64, with its padding. */
export const byte: Format = {
  simplest: '',
  samples: [
    '',
    'AA==',
    'AAA=',
    'AAAA',
    '+/+/',
    '//8=',
    'TWFu',
    Buffer.from('\u00E9\u{1F600}').toString('base64'),
    Buffer.alloc(1024).toString('base64'),
  ],
  generate: (random) => bytes(random, random.int(0, 24)),
};
