import { once } from 'node:events';
import { type AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';
import PostalMime from 'postal-mime';
import { SMTPServer } from 'smtp-server';

/** A mail as its reader sees it, with one of the recipients of its envelope. */
export interface ReceivedMail {
  readonly to: string;
  readonly subject: string;
  readonly text: string;
  readonly html: string;
  /** Headers by their names in lower case. */
  readonly headers: Readonly<Record<string, string>>;
}

/** An SMTP code and its text. */
export interface Refusal {
  readonly code: number;
  readonly text: string;
}

export interface MailServer {
  /** The value for `MAIL_URL`. */
  readonly url: string;
  stop(): Promise<void>;
}

const mailBytesMax = 1_048_576;
const host = '127.0.0.1';

/**
 * A mail server on the loopback address, whose mails never leave this machine: `take` gets each mail, once for each of its
 * recipients; a recipient for which `check` resolves to a refusal is refused.
 */
export async function startMailServer(
  take: (mail: ReceivedMail) => void,
  check: (to: string) => Promise<Refusal | null> = () => Promise.resolve(null),
): Promise<MailServer> {
  const smtp = new SMTPServer({
    authOptional: true,
    disabledCommands: ['AUTH', 'STARTTLS'],
    disableReverseLookup: true,
    logger: false,
    size: mailBytesMax,
    onRcptTo: ({ address }, _session, answer) => {
      void check(address).then((refusal) =>
        answer(refusal && Object.assign(new Error(refusal.text), { responseCode: refusal.code })),
      );
    },
    onData: (stream, { envelope }, answer) => {
      buffer(stream)
        .then(readMail)
        .then((mail) => {
          for (const { address } of envelope.rcptTo) take({ ...mail, to: address });
          answer(null);
        }, answer);
    },
  });
  // A client that is killed resets its connection.
  smtp.on('error', () => undefined);
  const server = smtp.listen(0, host);
  await once(server, 'listening');
  return {
    url: `smtp://${host}:${(server.address() as AddressInfo).port}`,
    stop: () => new Promise((stopped) => smtp.close(stopped)),
  };
}

async function readMail(bytes: Buffer): Promise<Omit<ReceivedMail, 'to'>> {
  const { subject = '', text = '', html = '', headers } = await PostalMime.parse(bytes);
  return { subject, text, html, headers: Object.fromEntries(headers.map(({ key, value }) => [key, value])) };
}
