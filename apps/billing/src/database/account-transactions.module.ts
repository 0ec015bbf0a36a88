import { Module } from '@nestjs/common';
import { AccountTransactions } from './account-transactions.js';

/** Transactions that lock accounts, for every module that changes account data. */
@Module({ providers: [AccountTransactions], exports: [AccountTransactions] })
export class AccountTransactionsModule {}
