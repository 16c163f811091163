import { readFileSync } from 'node:fs';
import { createSecureContext, rootCertificates } from 'node:tls';
import type { SecureContext } from 'node:tls';
import { usageError } from '../spec/index.ts';
import type { Connection } from './connection.ts';

/** Certificates and key of a connection, as PEM. */
export interface Credentials {
  /** All trusted authorities, including the default ones. */
  readonly ca?: string[];
  readonly cert?: string;
  readonly key?: string;
}

const OPTIONS = { ca: '--ca', cert: '--cert', key: '--key' } as const;

function readPem(name: keyof typeof OPTIONS, file: string): string {
  let text = '';
  try {
    text = readFileSync(file, 'utf8');
  } catch (cause) {
    throw usageError(
      `The file of ${OPTIONS[name]} can't be read: ${file}`,
      'Check the path and its permissions.',
      cause,
    );
  }
  if (/-----BEGIN [\w ]+-----/.test(text)) return text;
  throw usageError(
    `The file of ${OPTIONS[name]} is not PEM: ${file}`,
    'Convert it, for example with openssl x509 -inform der, or openssl pkcs12 -nodes for a .pfx.',
  );
}

/** Reads the files of a connection. Throws an {@link AssayError} (exit code 2) if one is unusable. */
export function readCredentials({ ca, cert, key }: Connection): Credentials {
  if (cert === undefined && key !== undefined)
    throw usageError('--key requires the matching certificate.', 'Add --cert FILE.');
  const credentials: Credentials = {
    ...(ca === undefined ? {} : { ca: [...rootCertificates, readPem('ca', ca)] }),
    ...(cert === undefined ? {} : { cert: readPem('cert', cert), key: readPem('key', key ?? cert) }),
  };
  // What is trusted by default takes long to read.
  if (Object.keys(credentials).length === 0) return credentials;
  try {
    createSecureContext(credentials);
  } catch (cause) {
    const why = cause instanceof Error ? cause.message.replace(/^error:\w+:/, '') : '';
    throw usageError(
      `The files of --ca, --cert and --key can't be used: ${why}.`,
      'The key must match the certificate and must not be encrypted: openssl pkey -in FILE removes the passphrase.',
      cause,
    );
  }
  return credentials;
}

/** Created once for many connections, because reading all authorities is slow; undefined for the default ones. */
export function secureContextOf(credentials: Credentials): SecureContext | undefined {
  return Object.keys(credentials).length === 0 ? undefined : createSecureContext(credentials);
}
