import { accountPagesPath } from '#contracts';
import { CONFIG } from '#platform';
import { Module } from '@nestjs/common';
import { type BillingConfig } from '../../config/billing-config.js';
import { MAIL_OPTIONS, type MailOptions, openSmtpTransport, SMTP } from './mail-server.js';
import { MailService } from './mail.service.js';
import { ImmediateMailer } from './immediate-mailer.js';

/** Mail to people: right after a reply (`ImmediateMailer`), or when the caller sends it (`MailService`). */
@Module({
  providers: [
    {
      provide: MAIL_OPTIONS,
      inject: [CONFIG],
      useFactory: ({ MAIL_URL, MAIL_FROM, PRODUCT_NAME, SITE_URL }: BillingConfig): MailOptions => ({
        url: MAIL_URL,
        from: MAIL_FROM ?? '',
        product: PRODUCT_NAME,
        pagesUrl: SITE_URL ? SITE_URL.replace(/\/$/, '') + accountPagesPath : null,
      }),
    },
    { provide: SMTP, inject: [MAIL_OPTIONS], useFactory: openSmtpTransport },
    MailService,
    ImmediateMailer,
  ],
  exports: [MailService, ImmediateMailer],
})
export class MailModule {}
