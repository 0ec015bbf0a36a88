import { type ChargeReply, type ChargeRequest, type Settlement, type SettlementResult } from '#contracts';
import { sha256 } from '#platform';
import { keyHashOf } from '#testing';
import { dayMs } from '../../durations.js';

/** What a call under an `Idempotency-Key` asks for: the same `content` is the same call. */
export interface Repeatable {
  readonly idempotencyKey: string;
  readonly content: string;
}

/** A call of a customer. Its name stands for its charge id, so that several messages are about one charge. */
export interface Call {
  readonly name: string;
  readonly credits: number;
  readonly repeatable?: Repeatable;
}

/** What a gateway sends about a call. */
export interface Message {
  readonly kind: 'charge' | 'post' | 'void' | 'abandon';
  readonly account: number;
  readonly call: Call;
}

/** What can happen to a ledger; accounts are identified by number. */
export type Command =
  | Message
  /** A lot that expires in this time: a negative one has expired. */
  | {
      readonly kind: 'purchase';
      readonly account: number;
      readonly credits: number;
      readonly expiresInMs: number;
    }
  /** Goodwill, or a correction of less than 0 credits. */
  | {
      readonly kind: 'adjust';
      readonly account: number;
      readonly credits: number;
      readonly reference: string;
    }
  /** Refunds the lot that the account has opened as the `lot`th, from 0. */
  | { readonly kind: 'refund'; readonly account: number; readonly lot: number; readonly reference: string }
  | { readonly kind: 'revoke_key'; readonly account: number }
  | { readonly kind: 'sweep' }
  /** Sweeps as well, because an audit reports what the sweep has not recorded in time. */
  | { readonly kind: 'audit' }
  /** Puts the clock forward, or back when negative. */
  | { readonly kind: 'move_clock'; readonly ms: number };

export type Answer =
  | ChargeReply
  | SettlementResult['result']
  | { readonly outcome: 'adjusted'; readonly credits_remaining: number }
  /** Credits of a lot that were returned so far, and those that couldn't be. */
  | { readonly outcome: 'refunded'; readonly taken_back: number; readonly not_recovered: number }
  | 'not_found'
  | 'conflict';

/** What came of a command: its answer, and the lot that it has opened, or was to refund. */
export interface Done {
  readonly answer?: Answer | undefined;
  readonly lotId?: string | undefined;
}

/** Everything that a ledger has stored about an account, in names that are the same in every ledger. */
export interface Books {
  readonly balance: number;
  /** What each lot has left, and until when. */
  readonly lots: Record<string, string>;
  /** The sums of the entries by lot, type, and the call or adjustment they belong to. */
  readonly entries: Record<string, number>;
  /** The state and the instant of each charge, by the name of its call. */
  readonly charges: Record<string, string>;
  /** The calls that were voided before they were charged. */
  readonly tombstones: readonly string[];
}

/** A ledger that histories are played on. */
export interface PlayableLedger {
  setClock(at: number): Promise<void> | void;
  /** Applies messages at once; those about one account in their order. */
  together(messages: readonly Message[]): Promise<Answer[]> | Answer[];
  /** `replica` is the number of the replica that gets it, where there are several. */
  apply(command: Command, replica: number): Promise<Done> | Done;
  books(): Promise<Books[]> | Books[];
}

export const accounts = 2;
export const lifetimeMs = 30 * dayMs;

export function isMessage(command: Command): command is Message {
  return 'call' in command;
}

/** The messages of a gateway. */
export function chargeRequest(
  { name, credits, repeatable }: Call,
  ids: { readonly accountId: string; readonly keyId: string; readonly chargeId: string },
): ChargeRequest {
  return {
    charge_id: ids.chargeId,
    account_id: ids.accountId,
    key_id: ids.keyId,
    key_hash: keyHashOf(ids.keyId),
    request_id: name,
    operation: 'search',
    credits,
    ...(repeatable && marks(ids.keyId, repeatable)),
  };
}

const outcomes = { post: 'posted', void: 'voided', abandon: 'abandoned' } as const;

export function settlement(kind: keyof typeof outcomes, account_id: string, charge_id: string): Settlement {
  return { charge_id, account_id, outcome: outcomes[kind] };
}

/** How the messages of a gateway mark such a call of an API key. */
export function marks(
  keyId: string,
  { idempotencyKey, content }: Repeatable,
): Required<Pick<ChargeRequest, 'idempotency_key_hash' | 'fingerprint'>> {
  return { idempotency_key_hash: sha256(`${keyId} ${idempotencyKey}`), fingerprint: sha256(content) };
}

/** The name of an entry in the books. What expires belongs to its lot only, whether a sweep or a void has recorded it. */
export function entryName(lotId: string, type: string, of: string | null = null): string {
  return of === null || type === 'expiry' ? `${lotId} ${type}` : `${lotId} ${type} ${of}`;
}

/** A lot in the books. */
export function lotState(remaining: number, expiresAt: number): string {
  return `${remaining} until ${expiresAt}`;
}

interface ChargeInBooks extends Partial<Record<'refusal' | 'voidReason' | 'repeatOf', string | null>> {
  readonly state: string;
  readonly isAbandoned?: boolean;
}

/** A charge in the books. */
export function chargeState(
  { state, refusal, voidReason, isAbandoned, repeatOf }: ChargeInBooks,
  createdAt: number,
): string {
  const details = [refusal, voidReason, isAbandoned && 'abandoned', repeatOf && `repeats ${repeatOf}`].filter(
    Boolean,
  );
  return [state, ...details, 'at', createdAt].join(' ');
}
