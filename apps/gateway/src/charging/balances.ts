import { type Balance, getBalance } from '#contracts';
import { ServiceClient } from '#transport';
import { Injectable } from '@nestjs/common';
import { KeyCache } from '../authentication/key-cache.js';
import { type Call } from '../requests/call.js';

/** The balance of the account of a call, with the monthly limit of its key. */
@Injectable()
export class Balances {
  constructor(
    private readonly services: ServiceClient,
    private readonly keys: KeyCache,
  ) {}

  async of(call: Call): Promise<Balance> {
    const { account_id, key_id } = call.key;
    const askedAt = this.keys.time;
    const balance = await this.services.request(getBalance, { account_id, key_id }, call);
    this.keys.noteSpendable(call.presentedKey.hash, balance, askedAt);
    return balance;
  }
}
