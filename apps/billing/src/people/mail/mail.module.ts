import { accountPagesPath } from '@app/contracts';
import { CONFIG } from '@app/platform';
import { Module } from '@nestjs/common';
import { MAIL_OPTIONS, type MailOptions } from './mail-options.js';
import { parseMailUrl } from './mail-server.js';
import { MailService } from './mail.service.js';
import { PromptMails } from './prompt-mails.js';
import { openSmtpTransport, SMTP } from './smtp-transport.js';

interface MailConfig {
  readonly MAIL_URL?: string;
  readonly MAIL_FROM?: string;
  readonly PUBLIC_URL?: string;
}

/** Mail to people: at once (`PromptMails`), or when its sender says so (`MailService`). */
@Module({
  providers: [
    {
      provide: MAIL_OPTIONS,
      inject: [CONFIG],
      useFactory: ({ MAIL_URL = '', MAIL_FROM = '', PUBLIC_URL = '' }: MailConfig): MailOptions => ({
        server: parseMailUrl(MAIL_URL),
        from: MAIL_FROM,
        pagesUrl: PUBLIC_URL === '' ? null : PUBLIC_URL.replace(/\/$/, '') + accountPagesPath,
      }),
    },
    { provide: SMTP, inject: [MAIL_OPTIONS], useFactory: openSmtpTransport },
    MailService,
    PromptMails,
  ],
  exports: [MailService, PromptMails],
})
export class MailModule {}
