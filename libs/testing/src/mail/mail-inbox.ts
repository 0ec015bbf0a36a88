import { type MailServer, type ReceivedMail, type Refusal, startMailServer } from '#dev';
import { until } from '../waiting.js';

export { type ReceivedMail };

/** Longest wait for a mail that must come. */
const arrivalMs = 20_000;

/** A real SMTP server that keeps what it receives. */
export class MailInbox {
  readonly mails: ReceivedMail[] = [];
  /** Recipients that were named so far, refused ones too. */
  readonly attempts: string[] = [];
  private refusal: (to: string) => Refusal | null = () => null;
  private held: (to: string) => Promise<void> | null = () => null;
  private server: MailServer;

  static async start(): Promise<MailInbox> {
    const inbox = new MailInbox();
    inbox.server = await startMailServer(
      (mail) => inbox.mails.push(mail),
      async (to) => {
        inbox.attempts.push(to);
        const refusal = inbox.refusal(to);
        await inbox.held(to);
        return refusal;
      },
    );
    return inbox;
  }

  /** For `MAIL_URL`. */
  get url(): string {
    return this.server.url;
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
  refuse(refusal: (to: string) => Refusal | null): void {
    this.refusal = refusal;
  }

  /** From now on, mails to these recipients hang in the middle, until the returned function is called. */
  hold(isHeld: (to: string) => boolean): () => void {
    let release = (): void => undefined;
    const released = new Promise<void>((resolve) => (release = resolve));
    this.held = (to) => (isHeld(to) ? released : null);
    return release;
  }

  /** Empties the inbox. */
  reset(): void {
    this.mails.length = 0;
    this.attempts.length = 0;
    this.refuse(() => null);
    this.held = () => null;
  }

  async close(): Promise<void> {
    await this.server.stop();
  }
}
