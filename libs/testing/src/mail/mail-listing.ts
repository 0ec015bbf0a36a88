import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import { type AddressInfo } from 'node:net';
import { type MailInbox } from './mail-inbox.js';

/** A mail as other processes see it. */
export interface ListedMail {
  readonly to: string;
  readonly subject: string;
  readonly text: string;
}

/** Tells processes that share a mail server what it has received: `GET /?to=<address>`, oldest first. */
export class MailListing {
  private readonly server: Server;

  private constructor(inbox: MailInbox) {
    this.server = createServer((request, response) => {
      const address = new URL(request.url ?? '/', 'http://localhost').searchParams.get('to') ?? '';
      const mails = inbox
        .mailsTo(address)
        .map(({ to, subject, text }): ListedMail => ({ to, subject, text }));
      response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(mails));
    });
  }

  static async start(inbox: MailInbox): Promise<MailListing> {
    const listing = new MailListing(inbox);
    await once(listing.server.listen(0, '127.0.0.1'), 'listening');
    return listing;
  }

  get url(): string {
    return `http://127.0.0.1:${(this.server.address() as AddressInfo).port}`;
  }

  async stop(): Promise<void> {
    this.server.closeAllConnections();
    await new Promise((closed) => this.server.close(closed));
  }
}
