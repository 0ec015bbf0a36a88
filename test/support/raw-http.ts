import { connect } from 'node:net';

const patienceMs = 10_000;

type RawReply = Readonly<Record<'headers' | 'body', string>> & { readonly status: number };

/** Writes these bytes to the origin's port and reads until it hangs up or falls silent: requests no client would make. */
export function exchangeRaw(origin: string, request: string): Promise<RawReply> {
  const { hostname, port } = new URL(origin);
  return new Promise((resolve, reject) => {
    let received = '';
    const socket = connect(Number(port), hostname, () => socket.write(request, 'latin1'));
    const finish = () => {
      socket.destroy();
      const [headers = '', body = ''] = partsOf(received);
      resolve({ status: Number(headers.split(' ')[1]), headers, body });
    };
    socket.setTimeout(patienceMs, finish);
    socket.on('data', (chunk) => {
      received += chunk.toString('utf8');
      if (isComplete(received)) finish();
    });
    socket.on('end', finish);
    socket.on('error', reject);
  });
}

function isComplete(received: string): boolean {
  const [headers = '', body] = partsOf(received);
  const length = /^content-length: (\d+)$/im.exec(headers)?.[1];
  return body !== undefined && length !== undefined && Buffer.byteLength(body) >= Number(length);
}

/** The head and, once its end has arrived, the body. */
function partsOf(received: string): string[] {
  const end = received.indexOf('\r\n\r\n');
  return end === -1 ? [received] : [received.slice(0, end), received.slice(end + 4)];
}
