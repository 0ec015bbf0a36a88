import { defaultLedgerOptions } from '../rules/ledger-options.js';
import { type StoredCharge } from '../rules/ledger-state.js';
import { repeatableMs } from '../rules/repeatable-charges.js';
import { type Answer } from './histories.fixture.js';
import { type Repeatable } from './naive-ledger.fixture.js';

export interface Message {
  readonly kind: 'charge' | 'post' | 'void';
  readonly call: string;
}

/**
 * What can happen to the calls of an account; `time_out`: the clock advances by exactly the pending time-out;
 * `forgetting`: by exactly the time for which a paid call can be repeated.
 */
export type Happening = Message | { readonly kind: 'sweep' | 'time_out' | 'forgetting' };

export type Fate =
  | 'unheard_of'
  | 'buried'
  | 'refused'
  | 'refused_as_pending'
  | 'refused_as_reused'
  | 'repeated'
  | 'pending'
  | 'posted'
  | 'given_up'
  | 'timed_out';

/** How far the clock advances. */
export const advances = {
  time_out: defaultLedgerOptions.pendingTimeoutMs,
  forgetting: repeatableMs,
} as const;

/** The cost of every call: the whole balance, so that two calls never hold it at once. */
export const cost = 5;

const charged = { outcome: 'charged', credits_used: cost, credits_remaining: 0 } as const;
const refused = { outcome: 'insufficient_credits', credits_needed: cost, credits_remaining: 0 } as const;
const voided = { outcome: 'voided' } as const;
/** The call that it repeats has the whole balance. */
const repeated = { outcome: 'charged', credits_used: 0, credits_remaining: 0, is_repeat: true } as const;
const afterRefusal = { post: 'voided', void: 'voided' } as const;

/** The answer to each message by the call's state after it; other combinations can't occur. */
const answers: Record<Fate, Partial<Record<Message['kind'], Answer>>> = {
  unheard_of: { post: 'unknown_charge' },
  buried: { charge: voided, post: 'voided', void: 'voided' },
  refused: { charge: refused, ...afterRefusal },
  refused_as_pending: { charge: { outcome: 'earlier_call_pending' }, ...afterRefusal },
  refused_as_reused: { charge: { outcome: 'idempotency_key_reused' }, ...afterRefusal },
  repeated: { charge: repeated, post: 'posted', void: 'voided' },
  pending: { charge: charged },
  posted: { charge: charged, post: 'posted', void: 'already_posted' },
  given_up: { charge: voided, post: 'voided', void: 'voided' },
  timed_out: { charge: voided, post: 'expired', void: 'voided' },
};

const decidedBy = {
  post: 'posted',
  void: 'given_up',
  time_out: 'timed_out',
  forgetting: 'timed_out',
} as const;

/** `K1`, `K2` ... are one call under one `Idempotency-Key`, `L` is another call under it. Other calls have none. */
export function repeatableOf(call: string): Repeatable | undefined {
  const [content = ''] = call;
  return content === 'K' || content === 'L' ? { idempotencyKey: 'K', content } : undefined;
}

/**
 * The state of a call. Its first charge or void opens it: a void leaves a tombstone, a charge holds the credits unless
 * another call does; then the first post, void or time-out is final. While a call under the same `Idempotency-Key` holds
 * credits that it took lately, a charge takes nothing: it is refused until that call is posted, and repeats it then.
 * Sweeps and messages that come again change nothing.
 */
export function fateOf(call: string, happenings: readonly Happening[]): Fate {
  const opened = openingOf(call, happenings);
  if (opened < 0) return 'unheard_of';
  if (happenings[opened]?.kind === 'void') return 'buried';
  const before = happenings.slice(0, opened);
  const unpaid = fateBeside(call, before);
  if (unpaid) return unpaid;
  if (callsOf(before).some((other) => holds(fateOf(other, before)))) return 'refused';
  for (const one of happenings.slice(opened + 1)) {
    if (one.kind === 'time_out' || one.kind === 'forgetting') return decidedBy[one.kind];
    if (isOf(call, one) && one.kind !== 'charge') return decidedBy[one.kind];
  }
  return 'pending';
}

/** What becomes of a call when another one that holds its credits has taken them lately under its `Idempotency-Key`. */
function fateBeside(call: string, before: readonly Happening[]): Fate | undefined {
  const repeatable = repeatableOf(call);
  if (!repeatable) return undefined;
  const forgotten = before.findLastIndex(({ kind }) => kind === 'forgetting');
  const earlier = callsOf(before).find(
    (other) =>
      repeatableOf(other)?.idempotencyKey === repeatable.idempotencyKey &&
      openingOf(other, before) > forgotten &&
      holds(fateOf(other, before)),
  );
  if (earlier === undefined) return undefined;
  if (repeatableOf(earlier)?.content !== repeatable.content) return 'refused_as_reused';
  return fateOf(earlier, before) === 'pending' ? 'refused_as_pending' : 'repeated';
}

/** Where the first charge or void of a call is among the happenings; -1 without one. */
function openingOf(call: string, happenings: readonly Happening[]): number {
  return happenings.findIndex((one) => isOf(call, one) && one.kind !== 'post');
}

/** The answer to the last of the happenings; none when that is no message. */
export function answerToLast(happenings: readonly Happening[]): Answer | undefined {
  const last = happenings.at(-1);
  return last && isMessage(last) ? answerAfter(fateOf(last.call, happenings), last.kind) : undefined;
}

export function answerAfter(fate: Fate, kind: Message['kind']): Answer | undefined {
  return answers[fate][kind];
}

/** Whether a call in this state keeps its credits. */
export function holds(fate: Fate): boolean {
  return fate === 'pending' || fate === 'posted';
}

/** Whether credits left the lots for a call in this state, wherever they are now. */
export function tookCredits(fate: Fate): boolean {
  return holds(fate) || fate === 'given_up' || fate === 'timed_out';
}

export function isMessage(happening: Happening): happening is Message {
  return 'call' in happening;
}

/** The name of a stored charge's fate. */
export function fateOfStored({
  state,
  refusal,
  voidReason,
  repeatOf,
}: Pick<StoredCharge, 'state' | 'refusal' | 'voidReason' | 'repeatOf'>): Fate {
  if (state === 'voided') return voidReason ?? 'unheard_of';
  if (refusal === 'earlier_call_pending') return 'refused_as_pending';
  if (refusal === 'idempotency_key_reused') return 'refused_as_reused';
  return repeatOf === null ? state : 'repeated';
}

/** A readable name of what happened, for the report of a difference. */
export function describeAll(happenings: readonly Happening[]): string {
  return happenings.map((one) => (isMessage(one) ? `${one.kind} ${one.call}` : one.kind)).join(', ');
}

/** Every message that there is about the calls. */
export function messagesOf(calls: readonly string[]): Message[] {
  return calls.flatMap((call) => (['charge', 'post', 'void'] as const).map((kind) => ({ kind, call })));
}

function isOf(call: string, happening: Happening): happening is Message {
  return isMessage(happening) && happening.call === call;
}

function callsOf(happenings: readonly Happening[]): string[] {
  return [...new Set(happenings.filter(isMessage).map(({ call }) => call))];
}
