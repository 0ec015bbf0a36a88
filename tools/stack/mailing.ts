import { Mailbox } from './mailbox/mailbox.js';

/** The mail server of the local stack. */
export interface Mailing {
  /** Variables of the services. */
  readonly environment: Readonly<Record<string, string>>;
  /** Where mails can be read; `null` with a mail server of the shell's. */
  readonly mailboxUrl: string | null;
  stop(): Promise<void>;
}

/** Mails through the server that the shell names, else into a mailbox on this machine. */
export async function openMailing(shell: NodeJS.ProcessEnv): Promise<Mailing> {
  if (shell.MAIL_URL || shell.MAIL_URL_FILE) {
    return { environment: {}, mailboxUrl: null, stop: () => Promise.resolve() };
  }
  const mailbox = await Mailbox.start();
  return {
    environment: {
      MAIL_URL: mailbox.mailUrl,
      MAIL_FROM: shell.MAIL_FROM || 'Creator Search <no-reply@creator-search.example>',
    },
    mailboxUrl: mailbox.url,
    stop: () => mailbox.stop(),
  };
}
