import { type Answer, type Command } from './commands.fixture.js';

/** Counts each answer that was compared: one that was never seen was not tested. */
export class Tally {
  private readonly counts = new Map<string, number>();

  count({ kind }: Command, answer: Answer): void {
    const outcome = typeof answer === 'string' ? answer : answer.outcome;
    const isRepeat = typeof answer === 'object' && answer.outcome === 'charged' && answer.is_repeat;
    const name = `${kind} ${isRepeat ? 'repeated' : outcome}`;
    this.counts.set(name, (this.counts.get(name) ?? 0) + 1);
  }

  get seen(): string[] {
    return [...this.counts.keys()].sort();
  }

  toString(): string {
    return [...this.counts]
      .sort()
      .map(([name, count]) => `${name} ${count}`)
      .join(', ');
  }
}

/** Every answer that there is. */
export const allAnswers = [
  ...['expired', 'posted', 'unknown_charge', 'voided'].map((outcome) => `abandon ${outcome}`),
  ...['adjust adjusted', 'adjust conflict'],
  ...['charged', 'earlier_call_pending', 'idempotency_key_reused', 'insufficient_credits', 'key_revoked'].map(
    (outcome) => `charge ${outcome}`,
  ),
  ...['charge repeated', 'charge voided'],
  ...['expired', 'posted', 'unknown_charge', 'voided'].map((outcome) => `post ${outcome}`),
  ...['refund conflict', 'refund not_found', 'refund refunded'],
  ...['void already_posted', 'void voided'],
];
