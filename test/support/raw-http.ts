import { connect } from 'node:net';

type RawReply = Readonly<Record<'headers' | 'body', string>> & { readonly status: number };

/** Writes these bytes to the origin's port and reads until it hangs up or falls silent: requests no client would make. */
export function exchangeRaw(origin: string, request: string, patienceMs = 5_000): Promise<RawReply> {
  const { hostname, port } = new URL(origin);
  return new Promise((resolve, reject) => {
    let received = '';
    const socket = connect(Number(port), hostname, () => socket.write(request, 'latin1'));
    const finish = () => {
      socket.destroy();
      const [headers = '', body = ''] = splitOnce(received, '\r\n\r\n');
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
  const [headers = '', body] = splitOnce(received, '\r\n\r\n');
  const length = /^content-length: (\d+)$/im.exec(headers)?.[1];
  return body !== undefined && length !== undefined && Buffer.byteLength(body) >= Number(length);
}

function splitOnce(text: string, separator: string): string[] {
  const at = text.indexOf(separator);
  return at === -1 ? [text] : [text.slice(0, at), text.slice(at + separator.length)];
}
