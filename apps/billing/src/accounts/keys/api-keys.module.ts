import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { AccountsModule } from '../accounts.module.js';
import { AccountTransactionsModule } from '../../database/account-transactions.js';
import { LedgerModule } from '../../ledger/ledger.module.js';
import { PeopleModule } from '../../people/records/people.module.js';
import { ApiKey } from './api-key.entity.js';
import { ApiKeysController } from './api-keys.controller.js';
import { ApiKeysRepository } from './api-keys.repository.js';
import { ApiKeysService } from './api-keys.service.js';
import { KeyCreation } from './key-creation.js';
import { KeyRotation } from './key-rotation.js';
import { OldKeysStep } from './old-keys.step.js';

/** API keys: creating, changing and deleting them, and authentication for the gateways. */
@Module({
  imports: [
    AccountsModule,
    AccountTransactionsModule,
    LedgerModule,
    PeopleModule,
    TypeOrmModule.forFeature([ApiKey]),
  ],
  controllers: [ApiKeysController],
  providers: [ApiKeysRepository, ApiKeysService, KeyCreation, KeyRotation, OldKeysStep],
  exports: [ApiKeysRepository, ApiKeysService, OldKeysStep],
})
export class ApiKeysModule {}
