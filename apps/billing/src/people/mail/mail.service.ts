import { foldEmail } from '#contracts';
import { LOGGER, type Logger } from '#platform';
import { Inject, Injectable, type OnApplicationShutdown } from '@nestjs/common';
import { composeMail, type Mail, mailKinds } from './mail.js';
import { MAIL_OPTIONS, type MailOptions, SMTP, type SmtpTransports } from './mail-server.js';

/** The server has refused the mail permanently: sending it again would not help. */
export class RefusedMailError extends Error {
  override readonly name = 'RefusedMailError';
}

/** Sends mails to the SMTP server, or with `log:` to the log. */
@Injectable()
export class MailService implements OnApplicationShutdown {
  constructor(
    @Inject(MAIL_OPTIONS) readonly options: MailOptions,
    @Inject(LOGGER) private readonly logger: Logger,
    @Inject(SMTP) private readonly transports: SmtpTransports | null,
  ) {}

  /** Whether mail can be sent at all. */
  get isOn(): boolean {
    return this.options.url !== undefined;
  }

  /** Resolves once the server has taken the mail. Throws `RefusedMailError` when it never will. */
  async send(mail: Mail): Promise<void> {
    if (!this.isOn) throw new RefusedMailError('Mail is off: MAIL_URL is not set.');
    // Another form may reach a different person: mail software applies NFKC and IDNA.
    if (foldEmail(mail.to) !== mail.to) {
      throw new RefusedMailError('The address is not in its compared form.');
    }
    const { from, product } = this.options;
    const { subject, text, html } = composeMail(mail, product);
    if (this.transports === null) {
      // The only line of a log that may hold a secret; the configuration refuses it in production.
      this.logger.info({ to: mail.to, subject, text }, 'mail');
      return;
    }
    try {
      // As an object, so that nothing in an address is read as a name or a second address.
      const to = { name: '', address: mail.to };
      const headers = {
        'auto-submitted': 'auto-generated',
        ...(mail.settings && { 'list-unsubscribe': `<${mail.settings}>` }),
      };
      const transport = this.transports[mailKinds[mail.kind].queue];
      await transport.sendMail({ from, to, subject, text, html, headers, messageId: this.idOf(mail) });
    } catch (error) {
      if (isPermanent(error)) {
        throw new RefusedMailError('The mail server refused the mail.', { cause: error });
      }
      throw error;
    }
  }

  /** A Message-ID in the domain of the sender, as mail servers expect. */
  private idOf({ messageId }: Mail): string | undefined {
    const [, domain = 'localhost'] = /@([^@>]+)>?$/.exec(this.options.from) ?? [];
    return messageId && `<${messageId}@${domain}>`;
  }

  onApplicationShutdown(): void {
    for (const transport of Object.values(this.transports ?? {})) transport.close();
  }
}

/** SMTP replies in the 500s are permanent, except for a failed login, which the operator can fix. */
function isPermanent(error: unknown): boolean {
  if (!(error instanceof Error) || !('responseCode' in error) || Reflect.get(error, 'code') === 'EAUTH') {
    return false;
  }
  return Number(error.responseCode) >= 500;
}
