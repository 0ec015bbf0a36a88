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
    const span = await this.read(signal, (snapshot) => this.ledger.span(snapshot));
    const progress = new AuditProgress(before?.credits);
    if (!before) progress.found.push(...(await archiveDiscrepancies(this.reports, this.options, signal)));
    let until = before?.until ?? span.cut;
    for (const window of monthsOf(span, before?.until ?? null)) {
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
    const found = [...progress.found, ...last.found];
    const credits = new Map(progress.credits);
    const suspects = progress.suspectsWith(last.sums);
    const named = [...new Set([...credits.keys(), ...last.sums.keys()])];
    for await (const page of this.ledger.lots(snapshot, isFull ? 'all' : named)) {
      for (const { id, remaining } of page) {
        const byEntries = (credits.get(id) ?? 0) + (last.sums.get(id)?.credits ?? 0);
        if (byEntries !== remaining) suspects.add(id);
      }
    }
    const lotIds = [...suspects];
    while (lotIds.length > 0) {
      for (const history of await this.ledger.lotHistories(snapshot, lotIds.splice(0, lotsAtOnce), until)) {
        credits.set(history.lot_id, history.credits_until);
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
    const entries = progress.entries + last.entries;
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
  private readonly suspects = new Set<string>();
  entries = 0;

  constructor(before: LotCredits = new Map<string, number>()) {
    this.credits = new Map(before);
  }

  add({ entries, sums, found }: WindowResult): void {
    this.entries += entries;
    if (this.found.length < discrepanciesMax) this.found.push(...found);
    for (const lotId of this.belowZero(sums)) this.suspects.add(lotId);
    for (const { lot_id: lotId, credits } of sums.values()) {
      const after = (this.credits.get(lotId) ?? 0) + credits;
      if (after === 0) this.credits.delete(lotId);
      else this.credits.set(lotId, after);
    }
  }

  /** Lots that may have been below 0 until now, or in the window of these sums. */
  suspectsWith(sums: WindowResult['sums']): Set<string> {
    return new Set([...this.suspects, ...this.belowZero(sums)]);
  }

  private belowZero(sums: WindowResult['sums']): string[] {
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

/** The months from an instant on, or all that are not archived, until the cut. They are those of the partitions. */
function monthsOf(
  { cut, first, archivedUntil }: Span,
  since: Date | null,
): (Window & { readonly to: Date })[] {
  const known = [since, archivedUntil].filter((instant) => instant !== null).map(Number);
  const from = known.length > 0 ? new Date(Math.max(...known)) : null;
  let start = from ?? new Date(Math.min(Number(first ?? cut), Number(cut)));
  const months: (Window & { readonly to: Date })[] = [];
  while (start < cut || (from === null && months.length === 0)) {
    const to = new Date(Math.min(endOfMonth(start), Number(cut)));
    months.push({ from: months.length === 0 && from === null ? '-infinity' : start, to });
    start = to;
  }
  return months;
}

/** The last millisecond of the month that goes on after this instant. */
function endOfMonth(instant: Date): number {
  return monthOf(new Date(instant.getTime() + 1), 1).getTime() - 1;
}
