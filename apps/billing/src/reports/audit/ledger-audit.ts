import { type AuditReply, type Discrepancy, type DiscrepancyKind } from '#contracts';
import { isDatabaseUnavailable } from '#platform';
import { type Queryable, type TransactionRunner } from '#platform/database';
import { Inject, Injectable } from '@nestjs/common';
import { setTimeout as delay } from 'node:timers/promises';
import { type LotsByAccount } from '../../archives/archive-records.js';
import { LEDGER_OPTIONS, type LedgerOptions } from '../../ledger/rules/ledger-options.js';
import {
  AuditRepository,
  type Checkpoint,
  type LotCredits,
  type LotHistory,
  type LotSum,
  type Span,
  type Window,
} from './audit.repository.js';
import { ArchivesAudit } from './archives-audit.js';
import { rulesOfEntries, rulesOfSubjects } from './entry-rules.js';
import { Found } from './found.js';
import { chargeOverdue, keySpending, wholeRules } from './whole-rules.js';
import { firstWindow, windowAfter } from './windows.js';

const discrepanciesMax = 1_000;
const sweepPeriodsOfGrace = 2;
const statementTimeoutMs = 600_000;
const triesOfWindow = 3;
const lotsAtOnce = 1_000;

export interface AuditRun {
  /** The connections that it reads on. */
  readonly reader: TransactionRunner;
  /** What was audited before; `null`: everything is read, the archives too, and every lot looked at. */
  readonly before: Checkpoint | null;
  readonly signal: AbortSignal;
  /** Called after each window with the share that is done, 0 to 1. */
  readonly onProgress?: (share: number) => void;
  /** Longest window; `undefined`: a month. */
  readonly windowMaxMs?: number;
}

export interface AuditOutcome {
  readonly reply: AuditReply;
  /** Everything before this instant has been audited, and left these credits in lots. */
  readonly until: Date;
  readonly credits: LotCredits;
}

/**
 * Recomputes the ledger from its entries, window after window, each on a snapshot of its own, and compares the result with the lots
 * on the last one. What lies before the first window is taken from the audit before or, by a full audit, read in the archives. It only
 * reads and blocks no writer.
 *
 * A window is cut at an instant and shows some things in part. Whatever does not fit in it is therefore only suspect, and is looked
 * at again with all of its rows: an audit never reports what is right, and what a clock that was put back has mixed up is right.
 */
@Injectable()
export class LedgerAudit {
  constructor(
    private readonly ledger: AuditRepository,
    @Inject(LEDGER_OPTIONS) private readonly options: LedgerOptions,
  ) {}

  async run(given: AuditRun): Promise<AuditOutcome> {
    const span = await this.read(given, (snapshot) => this.ledger.span(snapshot));
    const start = given.before?.until ?? span.first ?? span.cut;
    const onProgress = (until: Date): void => given.onProgress?.(shareDone(until, start, span));
    const { signal } = given;
    const archives = new ArchivesAudit(
      { directory: this.options.archiveDirectory, signal, onProgress },
      discrepanciesMax,
    );
    for (let before = given.before; ; before = null) {
      before ??= await this.readArchives(given, archives);
      const outcome = await this.goOn({
        ...given,
        before,
        isFull: !given.before,
        archives,
        span,
        onProgress,
      });
      // Otherwise a month that was to be read in the database was archived meanwhile.
      if (outcome) return outcome;
    }
  }

  /** Where the ledger begins in the database, and what the lots had there; `null`: nothing was archived. */
  private async readArchives(given: AuditRun, archives: ArchivesAudit): Promise<Checkpoint | null> {
    const found = await this.read(given, (snapshot) => this.ledger.archives(snapshot));
    if (!given.before) await archives.read(found);
    return found.until && { until: found.until, credits: creditsOf(found.carried) };
  }

  /** The windows in the database; `null`: one of them begins in a month that is archived by now. */
  private async goOn(given: DatabaseRun): Promise<AuditOutcome | null> {
    const { before, span, isFull, archives, windowMaxMs } = given;
    const work = new WorkInProgress(before?.credits ?? new Map<string, number>(), archives);
    let until = before?.until ?? span.first ?? span.cut;
    let window = firstWindow(before?.until ?? null, span, windowMaxMs);
    while (window) {
      const looked = window;
      const seen = await this.read(given, (snapshot) => this.lookAt(snapshot, looked, work.found.room));
      if (!seen) return null;
      work.add(seen);
      until = looked.to;
      given.onProgress(until);
      window = windowAfter(looked, seen.entries, span, windowMaxMs);
    }
    return this.read(given, (snapshot) => this.finish(snapshot, { span, until, work, isFull }));
  }

  /** A snapshot, tried again when its connection is lost or, on a standby, when it is in the way of what is replayed. */
  private async read<Result>(
    { reader, signal }: Pick<AuditRun, 'reader' | 'signal'>,
    read: (snapshot: Queryable) => Promise<Result>,
  ): Promise<Result> {
    for (let tries = 1; ; tries++) {
      signal.throwIfAborted();
      try {
        return await reader.snapshot(
          async (snapshot) => {
            await this.ledger.prepare(snapshot);
            return read(snapshot);
          },
          { timeoutMs: statementTimeoutMs, signal },
        );
      } catch (error) {
        if (signal.aborted || tries === triesOfWindow || !isDatabaseUnavailable(error)) throw error;
        await delay(1_000 * tries, undefined, { signal });
      }
    }
  }

  /** `null`: the window begins in a month that is archived, of which the database may have a part. */
  private async lookAt(snapshot: Queryable, window: Window, room: number): Promise<Seen | null> {
    const archivedUntil = await this.ledger.archivedUntil(snapshot);
    if (archivedUntil && (window.from === '-infinity' || window.from < archivedUntil)) return null;
    const found = new Found(room);
    const sums = new Map<string, LotSum>();
    let entries = 0;
    for await (const page of this.ledger.lotSums(snapshot, window)) {
      for (const sum of page) {
        sums.set(sum.lot_id, sum);
        entries += sum.entries;
      }
    }
    for (const rule of rulesOfEntries) {
      if (found.room === 0) break;
      found.add(await this.ledger.breaches(snapshot, rule, [window.from, window.to, found.room]));
    }
    for (const rule of rulesOfSubjects) {
      for await (const breaches of this.ledger.breachesOfSubjects(snapshot, rule, window, room)) {
        found.add(breaches);
        if (found.room === 0) break;
      }
    }
    return { entries, sums, found };
  }

  /** The rest, up to the instant of this snapshot; then every lot, and the rules about smaller tables. */
  private async finish(
    snapshot: Queryable,
    { span, until, work, isFull }: Ending,
  ): Promise<AuditOutcome | null> {
    const rest = { from: until, to: 'infinity' } as const;
    const seen = await this.lookAt(snapshot, rest, work.found.room);
    if (!seen) return null;
    const found = new Found(discrepanciesMax, work.found.all);
    found.add(seen.found.all);
    const credits = new Map(work.credits);
    const suspects = work.suspectsWith(seen.sums);
    for await (const page of this.ledger.lots(snapshot, isFull ? 'all' : named(credits, seen.sums))) {
      for (const { id, remaining } of page) {
        const byEntries = (credits.get(id) ?? 0) + (seen.sums.get(id)?.credits ?? 0);
        if (byEntries !== remaining) suspects.add(id);
      }
    }
    for (const lotIds of chunks([...suspects], lotsAtOnce)) {
      for (const history of await this.ledger.lotHistories(snapshot, lotIds, until)) {
        credits.set(history.lot_id, history.credits_until);
        found.add(breachesOf(history));
      }
    }
    await this.lookAtWhole(snapshot, span.now, isFull, found);
    const totals = await this.ledger.totals(snapshot);
    const discrepancies = [...found.all];
    const entries = work.entries + seen.entries;
    const reply = { ok: discrepancies.length === 0, ...totals, entries, discrepancies };
    return { reply, until, credits };
  }

  /** A pending charge is a discrepancy only once two sweeps should have found it. */
  private async lookAtWhole(snapshot: Queryable, now: Date, isFull: boolean, found: Found): Promise<void> {
    const sweptBefore = new Date(now.getTime() - sweepPeriodsOfGrace * this.options.sweepPeriodMs);
    const rules = [
      { rule: chargeOverdue, parameters: [sweptBefore] },
      ...[...wholeRules, ...(isFull ? [keySpending] : [])].map((rule) => ({
        rule,
        parameters: [],
      })),
    ];
    for (const { rule, parameters } of rules) {
      if (found.room === 0) return;
      found.add(await this.ledger.breaches(snapshot, rule, [...parameters, found.room]));
    }
  }
}

interface DatabaseRun extends Omit<AuditRun, 'onProgress'> {
  readonly span: Span;
  readonly isFull: boolean;
  readonly archives: ArchivesAudit;
  readonly onProgress: (until: Date) => void;
}

/** What one window has shown. */
interface Seen {
  readonly entries: number;
  readonly sums: ReadonlyMap<string, LotSum>;
  readonly found: Found;
}

interface Ending {
  readonly span: Span;
  readonly until: Date;
  readonly work: WorkInProgress;
  readonly isFull: boolean;
}

/** What the archives and the windows so far add up to. Only lots that hold credits are kept. */
class WorkInProgress {
  readonly credits: LotCredits;
  readonly found: Found;
  private readonly suspects = new Set<string>();
  entries: number;

  constructor(
    before: LotCredits,
    { entries, discrepancies }: Pick<ArchivesAudit, 'entries' | 'discrepancies'>,
  ) {
    this.credits = new Map(before);
    this.entries = entries;
    this.found = new Found(discrepanciesMax, discrepancies);
  }

  add({ entries, sums, found }: Seen): void {
    this.entries += entries;
    this.found.add(found.all);
    for (const lotId of this.belowZero(sums)) this.suspects.add(lotId);
    for (const { lot_id: lotId, credits } of sums.values()) {
      const after = (this.credits.get(lotId) ?? 0) + credits;
      if (after === 0) this.credits.delete(lotId);
      else this.credits.set(lotId, after);
    }
  }

  /** Lots that may have been below 0 until now, or in the window of these sums. */
  suspectsWith(sums: Seen['sums']): Set<string> {
    return new Set([...this.suspects, ...this.belowZero(sums)]);
  }

  private belowZero(sums: Seen['sums']): string[] {
    return [...sums.values()]
      .filter(({ lot_id, lowest }) => (this.credits.get(lot_id) ?? 0) + lowest < 0)
      .map(({ lot_id }) => lot_id);
  }
}

function breachesOf({ account_id, lot_id, remaining, credits, lowest }: LotHistory): Discrepancy[] {
  const breach = (kind: DiscrepancyKind, expected: string, found: string): Discrepancy => {
    return { kind, account_id, lot_id, charge_id: null, expected, found };
  };
  return [
    ...(credits === remaining
      ? []
      : [breach('lot_remaining_differs', `${credits} credits by its entries`, `${remaining} credits`)]),
    ...(lowest < 0 ? [breach('balance_negative', 'never below 0', `${lowest} credits`)] : []),
  ];
}

function creditsOf(carried: LotsByAccount): LotCredits {
  return new Map([...carried.values()].flatMap((lots) => [...lots]));
}

function named(credits: LotCredits, sums: Seen['sums']): string[] {
  return [...new Set([...credits.keys(), ...sums.keys()])];
}

function chunks<Item>(items: readonly Item[], size: number): Item[][] {
  return Array.from({ length: Math.ceil(items.length / size) }, (_, index) =>
    items.slice(index * size, (index + 1) * size),
  );
}

function shareDone(done: Date, start: Date, { cut }: Span): number {
  const whole = cut.getTime() - start.getTime();
  return whole <= 0 ? 1 : Math.max(0, Math.min(1, 1 - (cut.getTime() - done.getTime()) / whole));
}
