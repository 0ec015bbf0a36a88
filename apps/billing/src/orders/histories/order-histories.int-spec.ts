import { type CardPack } from '@app/contracts';
import { ledgerRuns, numbersFrom } from '@app/testing';
import { TransactionRunner } from '@app/platform/database';
import { Logger } from '@nestjs/common';
import fc from 'fast-check';
import { setTimeout as delay } from 'node:timers/promises';
import { AuditService } from '../../audit/audit.service.js';
import { Customer } from '../../ledger/ledger.fixture.js';
import { defaultLedgerOptions } from '../../ledger/rules/ledger-options.js';
import { lotReference } from '../../purchases/order-reference.js';
import { ExpiredLotsStep } from '../../sweep/expired-lots.step.js';
import { OverdueChargesStep } from '../../sweep/overdue-charges.step.js';
import { SweepService } from '../../sweep/sweep.service.js';
import { ReconciliationService } from '../reconciliation/reconciliation.service.js';
import { RecoverableCreditsStep } from '../recoverable-credits.step.js';
import { type Shop, type Started, useShop } from '../shop.fixture.js';
import { anyHappening, anyPack, happen, type Happening, ordersMax, truthOf } from './happenings.fixture.js';
import { Tally } from './tally.fixture.js';

/** How billing comes to know: by any event so far, old or new; by the buyer's return; by the reconciliation. */
type Hearing =
  | { readonly by: 'event'; readonly event: number }
  | { readonly by: 'return page'; readonly order: number }
  | { readonly by: 'reconciliation' };

type Step =
  | { readonly kind: 'happening'; readonly happening: Happening }
  /** All at once, through both replicas, while things go on happening. */
  | { readonly kind: 'hear'; readonly hearings: Hearing[]; readonly meanwhile: Happening[] }
  | { readonly kind: 'spend'; readonly credits: number }
  | { readonly kind: 'end call'; readonly outcome: 'posted' | 'voided' }
  | { readonly kind: 'hours'; readonly hours: number }
  | { readonly kind: 'sweep' };

const { runs, seed } = ledgerRuns(8);
const hourMs = 3_600_000;
const quarterMs = 91 * 24 * hourMs;
const hoursMax = 34 * 24;
const delayMaxMs = 4;

const order = fc.nat(ordersMax - 1);
const hearing: fc.Arbitrary<Hearing> = fc.oneof(
  { weight: 5, arbitrary: fc.record({ by: fc.constant('event' as const), event: fc.nat(200) }) },
  { weight: 2, arbitrary: fc.record({ by: fc.constant('return page' as const), order }) },
  { weight: 1, arbitrary: fc.constant({ by: 'reconciliation' as const }) },
);
const step: fc.Arbitrary<Step> = fc.oneof(
  {
    weight: 8,
    arbitrary: fc.record({ kind: fc.constant('happening' as const), happening: anyHappening }),
  },
  {
    weight: 6,
    arbitrary: fc.record({
      kind: fc.constant('hear' as const),
      hearings: fc.array(hearing, { minLength: 1, maxLength: 6 }),
      meanwhile: fc.array(anyHappening, { maxLength: 2 }),
    }),
  },
  {
    weight: 3,
    arbitrary: fc.record({
      kind: fc.constant('spend' as const),
      credits: fc.constantFrom(1, 20, 50, 499, 2_500),
    }),
  },
  {
    weight: 2,
    arbitrary: fc.record({
      kind: fc.constant('end call' as const),
      outcome: fc.constantFrom('posted' as const, 'voided' as const),
    }),
  },
  {
    weight: 1,
    arbitrary: fc.record({
      kind: fc.constant('hours' as const),
      hours: fc.constantFrom(1, 1, 25, 29 * 24, 30 * 24),
    }),
  },
  { weight: 1, arbitrary: fc.constant({ kind: 'sweep' as const }) },
);
const history = fc.record({
  packs: fc.array(anyPack, { minLength: 1, maxLength: ordersMax }),
  steps: fc.array(step, { minLength: 5, maxLength: 20, size: 'max' }),
});

/** One history on an account of its own. */
class Player {
  private started: Started[] = [];
  private customer = new Customer('', '');
  private readonly calls: string[] = [];
  private replica = 0;
  private now: number;

  constructor(
    private readonly shop: Shop,
    private readonly startAt: number,
  ) {
    this.now = startAt;
  }

  async begin(packs: CardPack[]): Promise<void> {
    const { records } = this.shop.standIn;
    for (const kept of Object.values(records)) if (kept instanceof Map) kept.clear();
    await this.shop.ledger.factory.setClock(new Date(this.now));
    this.customer = await this.shop.ledger.customer(0);
    for (const pack of packs) this.started.push(await this.shop.start(this.customer.accountId, pack));
  }

  async take(step: Step): Promise<void> {
    switch (step.kind) {
      case 'happening':
        this.happen(step.happening);
        break;
      case 'hear':
        await this.hear(step.hearings, step.meanwhile);
        break;
      case 'spend': {
        const { id, reply } = await this.customer.charge(this.shop.ledger.replica(0), step.credits);
        if (reply.outcome === 'charged') this.calls.push(id);
        break;
      }
      case 'end call': {
        const id = this.calls.shift();
        if (id) await this.customer.settle(this.shop.ledger.replica(1), id, step.outcome);
        break;
      }
      case 'hours':
        // Billing reconciles what it sold within the last 35 days.
        if (this.now + step.hours * hourMs < this.startAt + hoursMax * hourMs) {
          await this.passHours(step.hours);
        }
        break;
      case 'sweep':
        await this.sweep();
        break;
    }
  }

  /** What was lost on the way is found by the next reconciliation, and swept. */
  async end(tally: Tally): Promise<void> {
    await this.passHours(1);
    await this.shop.replica(0).get(ReconciliationService).reconcile();
    await this.sweep();
    for (const one of this.started) await this.expectTruth(one, tally);
    tally.histories += 1;
  }

  private happen(happening: Happening): void {
    const started = this.started[happening.order % this.started.length];
    if (started) happen(this.shop.standIn, this.shop.standIn.records.session(started.sessionId), happening);
  }

  private async hear(hearings: Hearing[], meanwhile: Happening[]): Promise<void> {
    const heard = hearings.map((one) => this.hearOne(one, this.replica++));
    for (const happening of meanwhile) {
      await delay(1);
      this.happen(happening);
    }
    await Promise.all(heard);
  }

  private async hearOne(hearing: Hearing, replica: number): Promise<void> {
    if (hearing.by === 'reconciliation') {
      await this.shop.replica(replica).get(ReconciliationService).reconcile();
    } else if (hearing.by === 'return page') {
      const started = this.started[hearing.order % this.started.length];
      if (started) await this.shop.comeBack(started, replica);
    } else {
      const { events } = this.shop;
      const event = events[hearing.event % Math.max(1, events.length)];
      if (event) await this.shop.tell(event, replica);
    }
  }

  private async passHours(hours: number): Promise<void> {
    this.now += hours * hourMs;
    await this.shop.ledger.factory.setClock(new Date(this.now));
  }

  private async sweep(): Promise<void> {
    const { ledger } = this.shop;
    const steps = [
      ledger.get(OverdueChargesStep),
      ledger.get(RecoverableCreditsStep),
      ledger.get(ExpiredLotsStep),
    ];
    await new SweepService(ledger.get(TransactionRunner), defaultLedgerOptions, steps).sweep();
  }

  private async expectTruth(started: Started, tally: Tally): Promise<void> {
    const truth = truthOf(this.shop.standIn, started.sessionId);
    const stored = await this.shop.order(started);
    const lots = (await this.shop.lots(started.accountId)).filter(
      ({ reference }) => reference === lotReference(started.orderId),
    );
    tally.countPurchase(truth.isPaid, lots.length);
    if (truth.isPaid && truth.returnedCents > 0) tally.count('returned');
    if (stored.creditsNotRecovered > 0) tally.count('not recovered');
    expect({ state: stored.state, lots: lots.map(({ credits }) => credits) }).toEqual({
      state: truth.isPaid ? 'granted' : truth.unpaidState,
      lots: truth.isPaid ? [stored.credits] : [],
    });
    expect(stored.returnedCents).toBe(truth.isPaid ? truth.returnedCents : 0);
    const owed = Math.floor((stored.credits * stored.returnedCents) / stored.priceCents);
    expect(stored.creditsNotRecovered).toBe(Math.max(0, owed - stored.creditsTakenBack));
    const isAlive = stored.grantedAt !== null && this.now - stored.grantedAt.getTime() < 30 * 24 * hourMs;
    if (!isAlive) return;
    expect(stored.creditsTakenBack).toBeLessThanOrEqual(owed);
    if (stored.creditsNotRecovered > 0) expect(lots[0]?.remaining).toBe(0);
  }
}

describe('orders on PostgreSQL, two replicas and the library of Stripe', () => {
  const useOpenShop = useShop();

  it('what is paid is granted once, and what goes back is taken, in any order of events and whoever races them', async () => {
    Logger.overrideLogger(false);
    const shop = useOpenShop();
    const tally = new Tally();
    const random = numbersFrom(seed);
    shop.standIn.intercept(async (_call, run) => {
      await delay(random(delayMaxMs));
      const reply = await run();
      await delay(random(delayMaxMs));
      return reply;
    });
    let startAt = Date.UTC(2025, 0, 1);
    const property = fc.asyncProperty(history, async ({ packs, steps }) => {
      startAt += quarterMs;
      const player = new Player(shop, startAt);
      await player.begin(packs);
      for (const one of steps) await player.take(one);
      await player.end(tally);
    });
    await fc.assert(property, { numRuns: runs, seed });
    expect((await shop.ledger.get(AuditService).audit()).discrepancies).toEqual([]);
    process.stdout.write(`orders on PostgreSQL: ${tally.toString()}; LEDGER_SEED=${seed}\n`);
    expect([tally.lost, tally.doubled]).toEqual([0, 0]);
  }, 7_200_000);
});
