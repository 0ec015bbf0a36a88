import { type ExecutionContext } from '@nestjs/common';
import { Subject } from 'rxjs';
import { StartsLimit } from './payments-limits.interceptor.js';

/** Starts a purchase that waits for Stripe; returns what ends it. */
function start(limit: StartsLimit, account_id: string): () => void {
  const answer = new Subject<unknown>();
  const context = { switchToRpc: () => ({ getData: () => ({ account_id }) }) };
  limit.intercept(context as ExecutionContext, { handle: () => answer }).subscribe();
  return () => answer.complete();
}

it('two purchases of an account and sixteen of a replica wait for Stripe at once', () => {
  const limit = new StartsLimit();
  const refused = 'Too many payments are being processed';
  const ends = Array.from({ length: 16 }, (_, number) => start(limit, `account ${number >> 1}`));
  expect(() => start(limit, 'another')).toThrow(refused);
  ends[0]?.();
  ends[2]?.();
  start(limit, 'account 0');
  expect(() => start(limit, 'account 0')).toThrow(refused);
  start(limit, 'another');
  expect(() => start(limit, 'account 1')).toThrow(refused);
});
