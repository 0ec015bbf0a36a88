import { type Answer } from './histories.fixture.js';

export interface Message {
  readonly kind: 'charge' | 'post' | 'void';
  readonly call: string;
}

/** What can happen to the calls of an account; `time_out`: the clock advances by exactly the pending time-out. */
export type Happening = Message | { readonly kind: 'sweep' | 'time_out' };

export type Fate = 'unheard_of' | 'buried' | 'refused' | 'pending' | 'posted' | 'given_up' | 'timed_out';

/** The cost of every call: the whole balance, so that two calls never hold it at once. */
export const cost = 5;

const charged = { outcome: 'charged', credits_used: cost, credits_remaining: 0 } as const;
const refused = { outcome: 'insufficient_credits', credits_needed: cost, credits_remaining: 0 } as const;
const voided = { outcome: 'voided' } as const;

/** The answer to each message by the call's state after it; other combinations can't occur. */
const answers: Record<Fate, Partial<Record<Message['kind'], Answer>>> = {
  unheard_of: { post: 'unknown_charge' },
  buried: { charge: voided, post: 'voided', void: 'voided' },
  refused: { charge: refused, post: 'voided', void: 'voided' },
  pending: { charge: charged },
  posted: { charge: charged, post: 'posted', void: 'already_posted' },
  given_up: { charge: voided, post: 'voided', void: 'voided' },
  timed_out: { charge: voided, post: 'expired', void: 'voided' },
};

const decidedBy = { post: 'posted', void: 'given_up', time_out: 'timed_out' } as const;

/**
 * The state of a call. Its first charge or void opens it: a void leaves a tombstone, a charge holds the credits unless
 * another call does; then the first post, void or time-out is final. Sweeps and repetitions change nothing.
 */
export function fateOf(call: string, happenings: readonly Happening[]): Fate {
  const openedAt = happenings.findIndex((one) => isOf(call, one) && one.kind !== 'post');
  if (openedAt < 0) return 'unheard_of';
  if (happenings[openedAt]?.kind === 'void') return 'buried';
  const before = happenings.slice(0, openedAt);
  if (callsOf(before).some((other) => holds(fateOf(other, before)))) return 'refused';
  for (const one of happenings.slice(openedAt + 1)) {
    if (one.kind === 'time_out') return decidedBy.time_out;
    if (isOf(call, one) && one.kind !== 'charge') return decidedBy[one.kind];
  }
  return 'pending';
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

export function isMessage(happening: Happening): happening is Message {
  return 'call' in happening;
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
