import { once } from 'node:events';
import { buffer } from 'node:stream/consumers';
import { type AddressInfo } from 'node:net';
import { type ReadMail, readMail } from '#local-stack';
import { SMTPServer } from 'smtp-server';
import { until } from '../waiting/until.js';

export interface ReceivedMail extends ReadMail {
  readonly to: string;
  /** As it came. */
  readonly raw: string;
}

/** What the server says to a recipient: `null`, to take the mail, or an SMTP code and its text. */
type Refusal = { readonly code: number; readonly text: string } | null;

/** Longest wait for a mail that must come. */
const arrivalMs = 20_000;

/** A real SMTP server that keeps what it receives. */
export class MailInbox {
  readonly mails: ReceivedMail[] = [];
  /** Recipients that were named so far, refused ones too. */
  readonly attempts: string[] = [];
  private refusal: (to: string) => Refusal = () => null;
  private held: (to: string) => Promise<void> | null = () => null;
  private readonly server: SMTPServer;

  private constructor() {
    this.server = new SMTPServer({
      authOptional: true,
      disabledCommands: ['AUTH', 'STARTTLS'],
      logger: false,
      onRcptTo: ({ address }, _session, answer) => {
        this.attempts.push(address);
        const refusal = this.refusal(address);
        const reply = () =>
          answer(refusal ? Object.assign(new Error(refusal.text), { responseCode: refusal.code }) : null);
        const held = this.held(address);
        if (held) void held.then(reply);
        else reply();
      },
      onData: (stream, { envelope }, answer) => {
        buffer(stream).then((bytes) => {
          const raw = bytes.toString('latin1');
          for (const { address } of envelope.rcptTo) this.mails.push({ ...readMail(raw), to: address, raw });
          answer(null);
        }, answer);
      },
    });
    // A client that is killed resets its connection.
    this.server.on('error', () => undefined);
  }

  static async start(): Promise<MailInbox> {
    const inbox = new MailInbox();
    const listening = inbox.server.listen(0, '127.0.0.1');
    await once(listening, 'listening');
    return inbox;
  }

  /** For `MAIL_URL`. */
  get url(): string {
    return `smtp://127.0.0.1:${(this.server.server.address() as AddressInfo).port}`;
  }

  /** Mails whose subject begins like this. */
  mailsTo(address: string, subject = ''): ReceivedMail[] {
    return this.mails.filter((mail) => mail.to === address && mail.subject.startsWith(subject));
  }

  /** Resolves to the newest of these mails once there are `count`. */
  async mailTo(address: string, count = 1, subject = ''): Promise<ReceivedMail> {
    await until(() => this.mailsTo(address, subject).length >= count, arrivalMs);
    const mail = this.mailsTo(address, subject).at(-1);
    if (!mail) throw new Error(`no mail for ${address}`);
    return mail;
  }

  /** From now on, recipients for which `refusal` returns a code are refused. */
  refuse(refusal: (to: string) => Refusal): void {
    this.refusal = refusal;
  }

  /** From now on, mails to these recipients hang in the middle, until the returned function is called. */
  hold(isHeld: (to: string) => boolean): () => void {
    let release = (): void => undefined;
    const released = new Promise<void>((resolve) => (release = resolve));
    this.held = (to) => (isHeld(to) ? released : null);
    return release;
  }

  /** As at its start. */
  reset(): void {
    this.mails.length = 0;
    this.attempts.length = 0;
    this.refuse(() => null);
    this.held = () => null;
  }

  async close(): Promise<void> {
    await new Promise<void>((closed) => this.server.close(closed));
  }
}
