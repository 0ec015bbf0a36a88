import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import { type AddressInfo, type Server as TcpServer } from 'node:net';
import { buffer } from 'node:stream/consumers';
import { type ReadMail, readMail } from '#local-stack';
import { SMTPServer } from 'smtp-server';
import { type KeptMail, mailboxPage, mailPage } from './mailbox-page.js';

const keptMax = 200;
const mailBytesMax = 1_048_576;
const host = '127.0.0.1';
const headers = {
  'content-type': 'text/html; charset=utf-8',
  'cache-control': 'no-store',
  'content-security-policy': "default-src 'none'; style-src 'unsafe-inline'; frame-ancestors 'none'",
  'referrer-policy': 'no-referrer',
};

/**
 * A mail server on the loopback address, and a page that shows what it received: mails of a local stack never leave
 * this machine. Keeps the latest in memory.
 */
export class Mailbox {
  private readonly mails: KeptMail[] = [];
  private lastId = 0;
  private readonly smtp: SMTPServer;
  private readonly http: Server;

  private constructor() {
    this.smtp = new SMTPServer({
      authOptional: true,
      disabledCommands: ['AUTH', 'STARTTLS'],
      disableReverseLookup: true,
      logger: false,
      size: mailBytesMax,
      onData: (stream, { envelope }, answer) => {
        buffer(stream).then((bytes) => {
          for (const { address } of envelope.rcptTo) this.keep(address, readMail(bytes.toString('latin1')));
          answer(null);
        }, answer);
      },
    });
    // A client that is killed resets its connection.
    this.smtp.on('error', () => undefined);
    this.http = createServer((request, response) => {
      const { status, html } = this.answer(request.url ?? '/', request.headers.host);
      response.writeHead(status, headers).end(html);
    });
  }

  /** Throws where NODE_ENV is `production`: there, mails have to reach their readers. */
  static async start(): Promise<Mailbox> {
    if (process.env.NODE_ENV === 'production') {
      throw new Error('The local mailbox does not run where NODE_ENV is production.');
    }
    const mailbox = new Mailbox();
    await Promise.all([
      once(mailbox.smtp.listen(0, host), 'listening'),
      once(mailbox.http.listen(0, host), 'listening'),
    ]);
    return mailbox;
  }

  /** For `MAIL_URL`. */
  get mailUrl(): string {
    return `smtp://${addressOf(this.smtp.server)}`;
  }

  /** Where mails can be read. */
  get url(): string {
    return `http://${addressOf(this.http)}`;
  }

  async stop(): Promise<void> {
    this.http.closeAllConnections();
    await Promise.all([
      new Promise<void>((closed) => this.http.close(() => closed())),
      new Promise<void>((closed) => this.smtp.close(closed)),
    ]);
  }

  private keep(to: string, mail: ReadMail): void {
    this.lastId += 1;
    this.mails.unshift({ ...mail, id: this.lastId, to, at: new Date() });
    this.mails.length = Math.min(this.mails.length, keptMax);
  }

  /** A site whose name leads to this machine would send its own name, and must not read the mails. */
  private answer(path: string, askedHost = ''): { status: number; html: string } {
    if (![host, 'localhost'].includes(askedHost.split(':', 1)[0] ?? '')) return { status: 403, html: '' };
    if (path === '/') return { status: 200, html: mailboxPage(this.mails) };
    const mail = this.mails.find(({ id }) => path === `/${id}`);
    return mail ? { status: 200, html: mailPage(mail) } : { status: 404, html: mailboxPage(this.mails) };
  }
}

function addressOf(server: TcpServer): string {
  return `${host}:${(server.address() as AddressInfo).port}`;
}
