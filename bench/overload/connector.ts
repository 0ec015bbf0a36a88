import { HttpConnection } from './http-connection.js';

/** Connections come from as many addresses, as those of many customers do: a gateway may bound what one address has. */
const addresses = 16;

/** Gives the bytes of the n-th request. */
export type Requests = (number: number) => Buffer;

/** Makes connections to one origin, and the bytes that are sent over them. */
export class Connector {
  private readonly connections: HttpConnection[] = [];
  private readonly host: string;
  private readonly port: number;

  constructor(origin: string) {
    const { hostname, port } = new URL(origin);
    this.host = hostname;
    this.port = Number(port);
  }

  connection(): HttpConnection {
    const number = this.connections.length % addresses;
    // Only Linux has all of 127.0.0.0/8.
    const localAddress = process.platform === 'linux' ? `127.0.0.${number + 1}` : undefined;
    const connection = new HttpConnection({ host: this.host, port: this.port, localAddress });
    this.connections.push(connection);
    return connection;
  }

  /** Requests with each of the keys and each of the paths in turn; a key meets all paths, whatever their numbers are. */
  requests(keys: readonly string[], paths: readonly string[]): Requests {
    return (number) => {
      const round = Math.floor(number / keys.length);
      return this.request(paths[(number + round) % paths.length] ?? '', keys[number % keys.length] ?? '');
    };
  }

  closeAll(): void {
    for (const connection of this.connections) connection.close();
  }

  private request(path: string, key: string): Buffer {
    return Buffer.from(
      `GET ${path} HTTP/1.1\r\nHost: ${this.host}:${this.port}\r\nAuthorization: Bearer ${key}\r\n\r\n`,
    );
  }
}
