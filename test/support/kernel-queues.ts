import { readFileSync } from 'node:fs';

/** What the kernel knows of a connection on this machine. */
export interface KernelView {
  /**
   * Handed to the kernel by the server and not read by the client: in the send queue of the one socket and the receive queue
   * of the other. What is on its way may be counted twice, for as long as its receipt has not been acknowledged.
   */
  readonly bytes: number;
  /** Whether the server may still write to it. */
  readonly isOpenAtServer: boolean;
}

const established = '01';
const closeWait = '08';

export function kernelView(clientPort: number, serverPort: number): KernelView {
  let bytes = 0;
  let isOpenAtServer = false;
  for (const row of readFileSync('/proc/net/tcp', 'utf8').split('\n')) {
    const [, local = '', remote = '', state = '', queues = ''] = row.trim().split(/\s+/);
    const [unsent = '', unread = ''] = queues.split(':');
    if (portOf(local) === serverPort && portOf(remote) === clientPort) {
      bytes += parseInt(unsent, 16);
      isOpenAtServer = state === established || state === closeWait;
    }
    if (portOf(local) === clientPort && portOf(remote) === serverPort) bytes += parseInt(unread, 16);
  }
  return { bytes, isOpenAtServer };
}

function portOf(address: string): number {
  return parseInt(address.slice(-4), 16);
}
