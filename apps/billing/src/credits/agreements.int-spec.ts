import { Logger } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { useAuditedLedger } from '../ledger/ledger.fixture.js';
import { AgreementsService } from './agreements.service.js';
import { DueGrantsStep } from './due-grants.step.js';

describe('agreements', () => {
  const ledger = useAuditedLedger();
  const terms = { credits: 10_000, price_cents: 180_000 };

  async function references(accountId: string): Promise<string[]> {
    const rows = await ledger.query<{ reference: string }>(
      'SELECT reference FROM lots WHERE account_id = $1 ORDER BY reference',
      [accountId],
    );
    return rows.map(({ reference }) => reference.slice(-10));
  }

  it('grants at once when it starts now, and refuses a price below that of the Enterprise pack', async () => {
    const accountId = await ledger.factory.account();
    const service = ledger.get(AgreementsService);
    await service.start({ account_id: accountId, ...terms });
    expect(await ledger.balance(accountId)).toBe(10_000);
    const cheap = { account_id: await ledger.factory.account(), credits: 10_000, price_cents: 179_999 };
    await expect(service.start(cheap)).rejects.toMatchObject({ code: 'invalid_request' });
  });

  it('an account has one at a time', async () => {
    const accountId = await ledger.factory.account();
    const service = ledger.get(AgreementsService);
    const started = await Promise.allSettled(
      Array.from({ length: 5 }, () => service.start({ account_id: accountId, ...terms })),
    );
    expect(started.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
    expect(await ledger.balance(accountId)).toBe(10_000);
  });

  it('grants every due date that passed while billing was down; a 31st falls on the last day of a shorter month', async () => {
    const accountId = await ledger.factory.account();
    await ledger.factory.setClock(new Date('2026-01-31T09:00:00.000Z'));
    const { next_due_at } = await ledger.get(AgreementsService).start({
      account_id: accountId,
      ...terms,
    });
    expect(next_due_at).toBe('2026-02-28T09:00:00.000Z');
    await ledger.factory.setClock(new Date('2026-04-30T09:00:00.000Z'));
    expect(await ledger.get(DueGrantsStep).run(100)).toBe(3);
    expect(await references(accountId)).toEqual(['2026-01-31', '2026-02-28', '2026-03-31', '2026-04-30']);
    const [lot] = await ledger.query<{ purchased_at: Date }>(
      "SELECT purchased_at FROM lots WHERE reference LIKE '%2026-02-28'",
    );
    expect(lot?.purchased_at.toISOString()).toBe('2026-04-30T09:00:00.000Z');
  });

  it('grants a due date once when two replicas sweep at the same time', async () => {
    const accountId = await ledger.factory.account();
    const first = ledger.dataSource;
    const second = await new DataSource(first.options).initialize();
    try {
      await ledger.factory.setClock(new Date('2026-01-15T09:00:00.000Z'));
      await ledger.get(AgreementsService).start({ account_id: accountId, ...terms });
      await ledger.factory.setClock(new Date('2026-02-15T09:00:00.000Z'));
      const replicas = await Promise.all(
        [first, second, first].map((source) => ledger.anotherReplica(source)),
      );
      const steps = replicas.map((replica) => replica.get(DueGrantsStep));
      await Promise.all(steps.map((step) => step.run(100)));
      expect(await references(accountId)).toEqual(['2026-01-15', '2026-02-15']);
    } finally {
      await second.destroy();
    }
  });

  it('ending it still grants a due date that has passed, even if no sweep has run', async () => {
    const accountId = await ledger.factory.account();
    await ledger.factory.setClock(new Date('2026-01-15T09:00:00.000Z'));
    const service = ledger.get(AgreementsService);
    await service.start({ account_id: accountId, ...terms });
    await ledger.factory.setClock(new Date('2026-02-15T09:00:00.000Z'));
    await service.end(accountId);
    expect(await references(accountId)).toEqual(['2026-01-15', '2026-02-15']);
  });

  it('grants the due dates since a start in the past, which is at most 31 days ago', async () => {
    const accountId = await ledger.factory.account();
    await ledger.factory.setClock(new Date('2026-02-10T09:00:00.000Z'));
    const service = ledger.get(AgreementsService);
    const start = (starts_at: string) => service.start({ account_id: accountId, ...terms, starts_at });
    await expect(start('2026-01-10T08:59:59.999Z')).rejects.toMatchObject({
      code: 'invalid_request',
      details: { starts_at: [expect.any(String)] },
    });
    await start('2026-01-10T10:00:00+01:00');
    expect(await references(accountId)).toEqual(['2026-01-10', '2026-02-10']);
    expect(await ledger.balance(accountId)).toBe(20_000);
  });

  it('grants its due date once even though an ended agreement has granted credits on the same day', async () => {
    const accountId = await ledger.factory.account();
    await ledger.factory.setClock(new Date('2026-01-15T09:00:00.000Z'));
    const service = ledger.get(AgreementsService);
    await service.start({ account_id: accountId, ...terms });
    await service.end(accountId);
    await service.start({ account_id: accountId, credits: 20_000, price_cents: 360_000 });
    expect(await ledger.balance(accountId)).toBe(30_000);
    await ledger.factory.setClock(new Date('2026-02-15T09:00:00.000Z'));
    expect(await ledger.get(DueGrantsStep).run(100)).toBe(1);
  });

  it('a grant that fails does not hold up those of other accounts, and is made as soon as possible', async () => {
    Logger.overrideLogger(false);
    await ledger.factory.setClock(new Date('2026-01-15T09:00:00.000Z'));
    const service = ledger.get(AgreementsService);
    const [broken, whole] = [await ledger.factory.account(), await ledger.factory.account()];
    const { id } = await service.start({ account_id: broken, ...terms });
    await service.start({ account_id: whole, ...terms });
    await ledger.factory.setClock(new Date('2026-02-15T09:00:00.000Z'));
    await ledger.query(
      `ALTER TABLE lots ADD CONSTRAINT no_grant CHECK (reference NOT LIKE '%${id}:2026-02-15')`,
    );
    const step = ledger.get(DueGrantsStep);
    while ((await step.run(100)) > 0);
    expect(await references(broken)).toEqual(['2026-01-15']);
    expect(await references(whole)).toEqual(['2026-01-15', '2026-02-15']);
    await ledger.query('ALTER TABLE lots DROP CONSTRAINT no_grant');
    expect(await step.run(100)).toBe(1);
    expect(await references(broken)).toEqual(['2026-01-15', '2026-02-15']);
  });

  it('grants credits to every account that is due, however many there are', async () => {
    await ledger.factory.setClock(new Date('2026-01-15T09:00:00.000Z'));
    const service = ledger.get(AgreementsService);
    for (let account = 0; account < 60; account += 1) {
      await service.start({ account_id: await ledger.factory.account(), ...terms });
    }
    await ledger.factory.setClock(new Date('2026-02-15T09:00:00.000Z'));
    const step = ledger.get(DueGrantsStep);
    expect([await step.run(500), await step.run(500), await step.run(500)]).toEqual([50, 10, 0]);
  });

  it('waits for a start in the future', async () => {
    const accountId = await ledger.factory.account();
    await ledger.factory.setClock(new Date('2026-01-01T00:00:00.000Z'));
    const service = ledger.get(AgreementsService);
    await service.start({ account_id: accountId, ...terms, starts_at: '2026-01-10T00:00:00Z' });
    const step = ledger.get(DueGrantsStep);
    await ledger.factory.setClock(new Date('2026-01-09T23:59:59.999Z'));
    expect(await step.run(100)).toBe(0);
    await ledger.factory.setClock(new Date('2026-01-10T00:00:00.000Z'));
    expect(await step.run(100)).toBe(1);
  });

  it('ending it stops the next grant and keeps what was granted', async () => {
    const accountId = await ledger.factory.account();
    await ledger.factory.setClock(new Date('2026-01-15T09:00:00.000Z'));
    const service = ledger.get(AgreementsService);
    await service.start({ account_id: accountId, ...terms });
    expect(await service.end(accountId)).toMatchObject({
      next_due_at: null,
      ended_at: '2026-01-15T09:00:00.000Z',
    });
    await ledger.factory.setClock(new Date('2026-02-15T09:00:00.000Z'));
    expect(await ledger.get(DueGrantsStep).run(100)).toBe(0);
    expect(await references(accountId)).toEqual(['2026-01-15']);
    await expect(service.end(accountId)).rejects.toMatchObject({ code: 'not_found' });
  });
});
