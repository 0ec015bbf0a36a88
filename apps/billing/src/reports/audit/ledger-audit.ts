import { type AuditReply, type Discrepancy, type DiscrepancyKind } from '#contracts';
import { InjectTransactionRunner, type Queryable, TransactionRunner } from '#platform/database';
import { Inject, Injectable } from '@nestjs/common';
import { ArchiveAudit } from '../../archives/archive-audit.js';
import { reportsPool } from '../../database/data-source.js';
import { monthOf } from '../../ledger/rules/key-budgets.js';
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
import { rulesOfEntries, rulesOfSubjects } from './entry-rules.js';
import { Found } from './found.js';
import { chargeOverdue, keySpending, wholeRules } from './whole-rules.js';

const discrepanciesMax = 1_000;
const sweepPeriodsOfGrace = 2;
const statementTimeoutMs = 600_000;
const lotsAtOnce = 1_000;

export interface AuditRun {
  /** What was audited before; `null`: everything is read, the archives too, and every lot looked at. */
  readonly before: Checkpoint | null;
  readonly signal: AbortSignal;
  /** Default: the connections for reports. */
  readonly reader?: Pick<TransactionRunner, 'snapshot'>;
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
 * A month is cut at an instant and shows some things in part. Whatever does not fit in it is therefore only suspect, and is looked
 * at again with all of its rows: an audit never reports what is right, and what a clock that was put back has mixed up is right.
 */
@Injectable()
export class LedgerAudit {
  constructor(
    private readonly ledger: AuditRepository,
    private readonly archives: ArchiveAudit,
    @InjectTransactionRunner(reportsPool) private readonly reports: TransactionRunner,
    @Inject(LEDGER_OPTIONS) private readonly options: LedgerOptions,
  ) {}

  async run(given: AuditRun): Promise<AuditOutcome> {
    const { before, signal } = given;
    const span = await this.read(given, (snapshot) => this.ledger.span(snapshot));
    const work = new WorkInProgress(
      before?.credits ?? new Map<string, number>(),
      before ? [] : await this.archives.discrepancies(signal),
    );
    let until = before?.until ?? span.cut;
    for (const window of monthsOf(span, before?.until ?? null)) {
      work.add(await this.read(given, (snapshot) => this.lookAt(snapshot, window, work.found.room)));
      until = window.to;
    }
    return this.read(given, (snapshot) => this.finish(snapshot, { span, until, work, isFull: !before }));
  }

  private read<Result>(
    { reader = this.reports, signal }: AuditRun,
    read: (snapshot: Queryable) => Promise<Result>,
  ): Promise<Result> {
    signal.throwIfAborted();
    return reader.snapshot(
      async (snapshot) => {
        await this.ledger.prepare(snapshot);
        return read(snapshot);
      },
      { timeoutMs: statementTimeoutMs, signal },
    );
  }

  private async lookAt(snapshot: Queryable, window: Window, room: number): Promise<Seen> {
    const found = new Found(room);
    const sums = new Map<string, LotSum>();
    let entries = 0;
    for await (const page of this.ledger.lotSums(snapshot, window)) {
      for (const sum of page) {
        entries += sum.entries;
        if (sum.is_whole) sums.set(sum.lot_id, sum);
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
  private async finish(snapshot: Queryable, { span, until, work, isFull }: Ending): Promise<AuditOutcome> {
    const rest = { from: until, to: 'infinity' } as const;
    const seen = await this.lookAt(snapshot, rest, work.found.room);
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

/** What one month has shown. */
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

/** What the months so far add up to. Only lots that hold credits are kept. */
class WorkInProgress {
  readonly credits: LotCredits;
  readonly found: Found;
  private readonly suspects = new Set<string>();
  entries = 0;

  constructor(before: LotCredits, found: readonly Discrepancy[]) {
    this.credits = new Map(before);
    this.found = new Found(discrepanciesMax, found);
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

function named(credits: LotCredits, sums: Seen['sums']): string[] {
  return [...new Set([...credits.keys(), ...sums.keys()])];
}

function chunks<Item>(items: readonly Item[], size: number): Item[][] {
  return Array.from({ length: Math.ceil(items.length / size) }, (_, index) =>
    items.slice(index * size, (index + 1) * size),
  );
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
