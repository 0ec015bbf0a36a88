import { type AuditReply, type Discrepancy, type DiscrepancyKind } from '#contracts';
import { InjectTransactionRunner, type Queryable, TransactionRunner } from '#platform/database';
import { Inject, Injectable } from '@nestjs/common';
import { archiveDiscrepancies } from '../../archives/ledger-archive.js';
import { reportsPool } from '../../database/data-source.js';
import { monthOf } from '../../ledger/rules/key-budgets.js';
import { LEDGER_OPTIONS, type LedgerOptions } from '../../ledger/rules/ledger-options.js';
import {
  AuditRepository,
  type Checkpoint,
  discrepanciesMax,
  type LotCredits,
  type LotHistory,
  type LotSum,
  type Span,
  type Window,
} from './audit.repository.js';
import { rulesOfEntries, rulesOfSubjects } from './rules-of-entries.js';
import { chargeOverdue, keySpending, rulesOfTables } from './rules-of-tables.js';

const sweepPeriodsOfGrace = 2;
const statementTimeoutMs = 600_000;
const lotsAtOnce = 1_000;

export interface AuditRun {
  /** What was audited before; `null`: everything is read, with the archives, and every lot is checked. */
  readonly before: Checkpoint | null;
  readonly signal: AbortSignal;
}

export interface AuditOutcome {
  readonly reply: AuditReply;
  /** Everything before this instant has been audited, and left these credits in lots. */
  readonly until: Date;
  readonly credits: LotCredits;
}

/**
 * Recomputes the ledger from its entries, month after month, each on a snapshot of its own, and compares the result with the lots on
 * the last one. It begins where the audit before has ended or, for everything, where the archives end: lots whose first entries are
 * archived have expired, and are empty. It only reads and blocks no writer.
 *
 * A month is cut at an instant and shows some charges and lots in part. Whatever does not fit in it is therefore only suspect, and is
 * checked again with all of its rows. The audit accepts entries whose order a clock change has mixed up.
 */
@Injectable()
export class LedgerAudit {
  constructor(
    private readonly ledger: AuditRepository,
    @InjectTransactionRunner(reportsPool) private readonly reports: TransactionRunner,
    @Inject(LEDGER_OPTIONS) private readonly options: LedgerOptions,
  ) {}

  async run({ before, signal }: AuditRun): Promise<AuditOutcome> {
    const span = await this.read(signal, (snapshot) => this.ledger.span(snapshot, before?.until ?? null));
    const progress = new AuditProgress(before?.credits);
    if (!before) progress.found.push(...(await archiveDiscrepancies(this.reports, this.options, signal)));
    let until = before?.until ?? span.cut;
    for (const window of monthsOf(span)) {
      progress.add(await this.read(signal, (snapshot) => this.auditWindow(snapshot, window)));
      until = window.to;
    }
    return this.read(signal, (snapshot) =>
      this.finish(snapshot, progress, { now: span.now, until, isFull: !before }),
    );
  }

  private read<Result>(signal: AbortSignal, read: (snapshot: Queryable) => Promise<Result>): Promise<Result> {
    signal.throwIfAborted();
    return this.reports.snapshot(
      async (snapshot) => {
        await this.ledger.prepare(snapshot);
        return read(snapshot);
      },
      { timeoutMs: statementTimeoutMs, signal },
    );
  }

  private async auditWindow(snapshot: Queryable, window: Window): Promise<WindowResult> {
    const found: Discrepancy[] = [];
    const sums = new Map<string, LotSum>();
    let entries = 0;
    for await (const page of this.ledger.lotSums(snapshot, window)) {
      for (const sum of page) {
        entries += sum.entries;
        if (sum.is_whole) sums.set(sum.lot_id, sum);
      }
    }
    for (const rule of rulesOfEntries) {
      found.push(...(await this.ledger.breaches(snapshot, rule, [window.from, window.to])));
    }
    for (const rule of rulesOfSubjects) {
      for await (const breaches of this.ledger.breachesOfSubjects(snapshot, rule, window)) {
        found.push(...breaches);
        if (found.length >= discrepanciesMax) break;
      }
    }
    return { entries, sums, found };
  }

  /** Audits what follows `until`, up to the instant of this snapshot; then every lot, and the rules about smaller tables. */
  private async finish(
    snapshot: Queryable,
    progress: AuditProgress,
    { now, until, isFull }: { readonly now: Date; readonly until: Date; readonly isFull: boolean },
  ): Promise<AuditOutcome> {
    const last = await this.auditWindow(snapshot, { from: until, to: 'infinity' });
    const credits = new Map(progress.credits);
    progress.add(last);
    const { found, suspects, entries } = progress;
    const named = [...new Set([...credits.keys(), ...last.sums.keys()])];
    for await (const page of this.ledger.lots(snapshot, isFull ? 'all' : named)) {
      for (const { id, remaining } of page) {
        if ((progress.credits.get(id) ?? 0) !== remaining) suspects.add(id);
      }
    }
    const lotIds = [...suspects];
    while (lotIds.length > 0) {
      for (const history of await this.ledger.lotHistories(snapshot, lotIds.splice(0, lotsAtOnce), until)) {
        setCredits(credits, history.lot_id, history.credits_until);
        found.push(...breachesOf(history));
      }
    }
    // A pending charge is a discrepancy only once two sweeps should have found it.
    const sweptBefore = new Date(now.getTime() - sweepPeriodsOfGrace * this.options.sweepPeriodMs);
    found.push(...(await this.ledger.breaches(snapshot, chargeOverdue, [sweptBefore])));
    for (const rule of isFull ? [...rulesOfTables, keySpending] : rulesOfTables) {
      found.push(...(await this.ledger.breaches(snapshot, rule)));
    }
    const totals = await this.ledger.totals(snapshot);
    const discrepancies = found.slice(0, discrepanciesMax);
    const reply = { ok: discrepancies.length === 0, ...totals, entries, discrepancies };
    return { reply, until, credits };
  }
}

/** What the audit of a window has found. */
interface WindowResult {
  readonly entries: number;
  readonly sums: ReadonlyMap<string, LotSum>;
  readonly found: readonly Discrepancy[];
}

/** What the months so far add up to. Only lots that hold credits are kept. */
class AuditProgress {
  readonly credits: LotCredits;
  readonly found: Discrepancy[] = [];
  /** Lots that may have been below 0. */
  readonly suspects = new Set<string>();
  entries = 0;

  constructor(before: LotCredits = new Map<string, number>()) {
    this.credits = new Map(before);
  }

  add({ entries, sums, found }: WindowResult): void {
    this.entries += entries;
    if (this.found.length < discrepanciesMax) this.found.push(...found);
    for (const { lot_id: lotId, credits, lowest } of sums.values()) {
      const before = this.credits.get(lotId) ?? 0;
      if (before + lowest < 0) this.suspects.add(lotId);
      setCredits(this.credits, lotId, before + credits);
    }
  }
}

function setCredits(credits: LotCredits, lotId: string, held: number): void {
  if (held === 0) credits.delete(lotId);
  else credits.set(lotId, held);
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

/** The months of the span, as far as they go. They are those of the partitions. */
function monthsOf({ cut, first, since }: Span): (Window & { readonly to: Date })[] {
  if (since && since >= cut) return [];
  const ends: Date[] = [];
  let end = since ?? (first && first < cut ? first : cut);
  do {
    end = new Date(Math.min(endOfMonth(end), Number(cut)));
    ends.push(end);
  } while (end < cut);
  return ends.map((to, index) => ({ from: ends[index - 1] ?? since ?? '-infinity', to }));
}

/** The last millisecond of the month that goes on after this instant. */
function endOfMonth(instant: Date): number {
  return monthOf(new Date(instant.getTime() + 1), 1).getTime() - 1;
}
