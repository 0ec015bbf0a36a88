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
      useFactory: ({
        MAIL_URL = '',
        MAIL_FROM = '',
        PRODUCT_NAME,
        SITE_URL = '',
      }: MailConfig): MailOptions => ({
        server: parseMailUrl(MAIL_URL),
        from: MAIL_FROM,
        product: PRODUCT_NAME,
        pagesUrl: SITE_URL === '' ? null : SITE_URL.replace(/\/$/, '') + accountPagesPath,
      }),
    },
    { provide: SMTP, inject: [MAIL_OPTIONS], useFactory: openSmtpTransport },
    MailService,
    ImmediateMailer,
  ],
  exports: [MailService, ImmediateMailer],
})
export class MailModule {}
