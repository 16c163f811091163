import type { Prng } from '../../core/prng.ts';
import { PLAIN_WORDS } from '../../values/strings.ts';
import type { Format } from './format.ts';

function word(random: Prng): string {
  return random.pick(PLAIN_WORDS).toLowerCase();
}

export const email: Format = {
  simplest: 'a@b.co',
  samples: [
    'a@b.co',
    'first.last+tag@sub.example.org',
    `o'brien@example.com`,
    'UPPER@EXAMPLE.COM',
    '1@example.com',
    `${'a'.repeat(64)}@example.com`,
    'a_b-c@ex-ample.io',
  ],
  generate: (random) => `${word(random)}.${random.int(1, 999)}@example.org`,
};

export const hostname: Format = {
  simplest: 'a.co',
  samples: [
    'a.co',
    'example.com',
    'xn--bcher-kva.example',
    'a-b.c-d.org',
    'localhost',
    `${'a'.repeat(63)}.com`,
    '1and1.com',
  ],
  generate: (random) => `${word(random)}-${random.int(1, 99)}.example.org`,
};

export const ipv4: Format = {
  simplest: '0.0.0.0',
  samples: ['0.0.0.0', '127.0.0.1', '255.255.255.255', '10.0.0.1', '192.168.1.254'],
  generate: (random) => Array.from({ length: 4 }, () => random.int(0, 255)).join('.'),
};

export const ipv6: Format = {
  simplest: '::',
  samples: [
    '::',
    '::1',
    '2001:db8::ff00:42:8329',
    'fe80::1',
    '::ffff:192.0.2.128',
    '2001:0db8:0000:0000:0000:0000:0000:0001',
  ],
  generate: (random) => Array.from({ length: 8 }, () => random.int(0, 65_535).toString(16)).join(':'),
};

export const uri: Format = {
  simplest: 'a:b',
  samples: [
    'a:b',
    'https://example.org',
    'https://example.org/a%20b?c=d&e=f#g',
    'urn:isbn:0451450523',
    'http://[::1]:8080/',
    'mailto:a@example.org',
    'https://user:pw@example.org:443/~x',
    'ftp://example.org/;type=a',
  ],
  // Without a path, the normal form has one character more.
  ofLength: (length) => 'https://example.org?'.padEnd(length, 'a'),
  generate: (random) => `https://example.org/${word(random)}/${random.int(1, 9999)}`,
};

export const url: Format = {
  ...uri,
  simplest: 'http://a.co',
  samples: uri.samples.filter((sample) => sample.startsWith('http')),
};

export const uriReference: Format = {
  simplest: 'a',
  samples: ['', 'a', '/a/b', '../x', '?q=1', '#f', '//example.org/x', ...uri.samples],
  ofLength: (length) => '/'.padEnd(length, 'a'),
  generate: (random) => `/${word(random)}/${random.int(1, 9999)}`,
};

export const uriTemplate: Format = {
  simplest: 'a',
  samples: ['a', '/a/{id}', '/x{?q,r}', 'https://example.org/{+path}'],
  generate: (random) => `/${word(random)}/{id}`,
};
