import { Module } from '@nestjs/common';
import { AccountTransactions } from './account-transactions.js';

/** Transactions that hold accounts, for every module that changes something of theirs. */
@Module({ providers: [AccountTransactions], exports: [AccountTransactions] })
export class AccountTransactionsModule {}
