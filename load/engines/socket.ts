import net from 'node:net';
import tls from 'node:tls';
import type { Endpoint } from './messages.ts';

/** One buffer for all reads of a thread: each is parsed before the next. */
const READ_BUFFER = Buffer.allocUnsafeSlow(65_536);

function openTls(endpoint: Endpoint): net.Socket {
  const { host, port, insecure, ca } = endpoint;
  const socket = tls.connect({
    host,
    port,
    rejectUnauthorized: !insecure,
    ALPNProtocols: ['http/1.1'],
    ...(ca === undefined ? {} : { ca }),
    ...(net.isIP(host) ? {} : { servername: host }),
  });
  return socket.setNoDelay(true);
}

/** Opens a socket whose bytes go to `received`, which must not keep them. */
export function openSocket(endpoint: Endpoint, received: (bytes: Buffer, size: number) => void): net.Socket {
  if (endpoint.secure) return openTls(endpoint).on('data', (bytes: Buffer) => received(bytes, bytes.length));
  const callback = (size: number): boolean => {
    received(READ_BUFFER, size);
    return true;
  };
  return net.connect({
    host: endpoint.host,
    port: endpoint.port,
    noDelay: true,
    onread: { buffer: READ_BUFFER, callback },
  });
}

/** The event that tells that a socket is ready to be written to. */
export function readyEvent(endpoint: Endpoint): 'connect' | 'secureConnect' {
  return endpoint.secure ? 'secureConnect' : 'connect';
}
