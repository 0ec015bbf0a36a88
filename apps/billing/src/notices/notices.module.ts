import { Module } from '@nestjs/common';
import { AccountsModule } from '../accounts/accounts.module.js';
import { AccountTransactionsModule } from '../database/account-transactions.js';
import { LedgerModule } from '../ledger/ledger.module.js';
import { MailModule } from '../people/mail/mail.module.js';
import { PeopleRecordsModule } from '../people/records/people-records.module.js';
import { NoticesController } from './notices.controller.js';
import { NoticesService } from './notices.service.js';
import { DeliveriesRepository } from './deliveries.repository.js';
import { DeliveryWorker } from './delivery-worker.js';
import { BalanceNoticesStep, ExpiringLotsStep, KeyLimitsStep } from './notices.step.js';
import { Outbox } from './outbox.js';
import { WebhookSender } from './webhooks/webhook-sender.js';

const steps = [BalanceNoticesStep, ExpiringLotsStep, KeyLimitsStep];

/** Notices of low balances, limits of keys, expiring lots and payments, by mail and webhook, from an outbox. */
@Module({
  imports: [AccountsModule, AccountTransactionsModule, LedgerModule, MailModule, PeopleRecordsModule],
  controllers: [NoticesController],
  providers: [
    ...steps,
    DeliveriesRepository,
    DeliveryWorker,
    NoticesService,
    Outbox,
    { provide: WebhookSender, useFactory: () => new WebhookSender() },
  ],
  exports: [...steps, NoticesService],
})
export class NoticesModule {}
