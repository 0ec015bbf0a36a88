import { TransactionRunner } from '@app/platform/database';
import { useAuditedLedger } from '../ledger/ledger.fixture.js';
import { defaultLedgerOptions } from '../ledger/rules/ledger-options.js';
import { SweepService } from './sweep.service.js';

const ledger = useAuditedLedger();

it('one sweep goes on, batch after batch, until a step has nothing left, however much there is', async () => {
  let left = 1_234;
  let batches = 0;
  const step = {
    name: 'step',
    run: (batchSize: number) => {
      const done = Math.min(left, batchSize);
      left -= done;
      batches += 1;
      return Promise.resolve(done);
    },
  };
  const sweep = new SweepService(ledger.get(TransactionRunner), defaultLedgerOptions, [step]);
  expect(await sweep.sweep()).toEqual({ step: 1_234 });
  expect(batches).toBeGreaterThan(2);
});
