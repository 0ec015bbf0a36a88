import { randomInt } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { connect, type Socket } from 'node:net';
import { crc32 } from 'node:zlib';

/** Clients that send the same request again as soon as it is answered, each on a connection of its own. */
export class Flood {
  private readonly sockets = new Set<Socket>();
  private isOver = false;

  constructor(
    private readonly origin: string,
    private readonly from: string,
    /** The bytes of the next request. */
    private readonly nextRequest: () => string,
  ) {}

  begin(clients: number): void {
    for (let client = 0; client < clients; client += 1) this.open();
  }

  end(): void {
    this.isOver = true;
    for (const socket of this.sockets) socket.destroy();
  }

  private open(): void {
    const { hostname: host, port } = new URL(this.origin);
    const socket = connect({ host, port: Number(port), localAddress: this.from });
    this.sockets.add(socket);
    const ask = (): void => void socket.write(this.nextRequest());
    socket.on('error', () => undefined).once('connect', ask);
    socket.on('data', (bytes) => {
      if (bytes.includes('HTTP/1.1 ')) ask();
    });
    socket.once('close', () => {
      this.sockets.delete(socket);
      if (!this.isOver) this.open();
    });
  }
}

/** What a process holds of the machine's memory, in MiB. */
export function residentMib(pid: number): number {
  const rss = /VmRSS:\s+(\d+) kB/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'));
  return Number(rss?.[1] ?? 0) / 1_024;
}

const alphabet = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
const bodyLength = 32;
const checksumLength = 6;

/** An unknown key with a valid checksum, as anyone can make one. */
export function madeUpKey(): string {
  const body = Array.from({ length: bodyLength }, () => alphabet[randomInt(alphabet.length)]).join('');
  let rest = crc32(body);
  let checksum = '';
  for (let digit = 0; digit < checksumLength; digit += 1) {
    checksum = alphabet.charAt(rest % alphabet.length) + checksum;
    rest = Math.floor(rest / alphabet.length);
  }
  return `csk_${body}${checksum}`;
}
