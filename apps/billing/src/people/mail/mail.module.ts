import { accountPagesPath } from '#contracts';
import { CONFIG } from '#platform';
import { Module } from '@nestjs/common';
import { MAIL_OPTIONS, type MailOptions, openSmtpTransport, parseMailUrl, SMTP } from './mail-server.js';
import { MailService } from './mail.service.js';
import { ImmediateMailer } from './immediate-mailer.js';

interface MailConfig {
  readonly MAIL_URL?: string;
  readonly MAIL_FROM?: string;
  readonly PRODUCT_NAME: string;
  readonly SITE_URL?: string;
}

/** Mail to people: right after a reply (`ImmediateMailer`), or when the caller sends it (`MailService`). */
@Module({
  providers: [
    {
      provide: MAIL_OPTIONS,
      inject: [CONFIG],
      useFactory: (config: MailConfig): MailOptions => ({
        server: parseMailUrl(config.MAIL_URL ?? ''),
        from: config.MAIL_FROM ?? '',
        product: config.PRODUCT_NAME,
        pagesUrl: config.SITE_URL ? config.SITE_URL.replace(/\/$/, '') + accountPagesPath : null,
      }),
    },
    { provide: SMTP, inject: [MAIL_OPTIONS], useFactory: openSmtpTransport },
    MailService,
    ImmediateMailer,
  ],
  exports: [MailService, ImmediateMailer],
})
export class MailModule {}
