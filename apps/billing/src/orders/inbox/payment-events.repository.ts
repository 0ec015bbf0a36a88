import { TransactionRunner } from '#platform/database';
import { Injectable } from '@nestjs/common';
import { readClock } from '../../database/account-transactions.js';
import { minuteMs } from '../../durations.js';
import { type EventSubject, type KnownEvent } from '../provider/read-event.js';

/** Where an event came from: sent by Stripe, or found in the list of its events. */
export type EventSource = 'webhook' | 'reconciliation';

/** Longer than any request to Stripe takes: after it, the replica that claimed an event is taken for dead. */
export const leaseMs = minuteMs;
/** Between the attempts; the last one is repeated. An order whose buyer has gone is granted soon after Stripe is back. */
const retryDelaysMs = [5_000, 30_000, 2 * minuteMs, 5 * minuteMs, 10 * minuteMs];
/** Known events stay as they are. */
const insertSql = `
  INSERT INTO payment_events (id, type, subject_kind, subject_id, source, received_at, next_attempt_at)
  SELECT id, type, subject->>'kind', subject->>'id', $2, now, now
  FROM json_to_recordset($1) AS received (id text, type text, subject json)
  CROSS JOIN (SELECT ledger_now() AS now) AS clock
  ON CONFLICT (id) DO NOTHING
  RETURNING id`;

/**
 * Takes the subjects that have been due for longest (`payment_events_due`), each with all its events that wait
 * (`payment_events_of_subject`), also those whose next attempt is later: they arrived before the request that is sent now, so
 * one answer is the answer to all. A subject that a replica handles just now is left out, so its later events are handled
 * together. A replica that claims at the same time chooses the same rows and skips them as locked; rarely each gets some events of
 * a subject, and both ask Stripe, which does no harm.
 */
const claimSql = `
  WITH due AS (
    SELECT subject_kind, subject_id FROM payment_events AS waiting
    WHERE state = 'waiting' AND next_attempt_at <= $1::timestamptz
      AND NOT EXISTS (
        SELECT FROM payment_events AS asked
        WHERE asked.subject_id = waiting.subject_id AND asked.subject_kind = waiting.subject_kind
          AND asked.state = 'waiting' AND asked.attempt_until > $1::timestamptz
      )
    GROUP BY subject_kind, subject_id
    ORDER BY min(next_attempt_at) LIMIT $2
  ), chosen AS (
    SELECT id FROM payment_events
    WHERE (subject_kind, subject_id) IN (SELECT subject_kind, subject_id FROM due)
      AND state = 'waiting' AND (attempt_until IS NULL OR attempt_until <= $1::timestamptz)
    FOR UPDATE SKIP LOCKED
  ), claimed AS (
    UPDATE payment_events SET attempts = attempts + 1, next_attempt_at = $3::timestamptz, attempt_until = $3::timestamptz
    FROM chosen WHERE payment_events.id = chosen.id
    RETURNING payment_events.*
  )
  SELECT json_build_object('kind', subject_kind, 'id', subject_id) AS subject, array_agg(id) AS "eventIds",
    CASE WHEN bool_or(source = 'webhook') THEN 'webhook' ELSE 'reconciliation' END AS source,
    array_agg(DISTINCT type) AS types, min(attempts) AS attempts, $3::timestamptz AS "leaseEnd"
  FROM claimed GROUP BY subject_kind, subject_id`;

/** Served by `payment_events_pk`. Also when another replica has claimed it meanwhile. */
const endSql = `
  UPDATE payment_events
  SET state = $2, ended_at = (SELECT ledger_now()), next_attempt_at = NULL, attempt_until = NULL, problem = NULL
  WHERE id = ANY($1::text[]) AND state = 'waiting'`;

/** Served by `payment_events_pk`. A claim whose lease has ended changes nothing. */
const failSql = `
  UPDATE payment_events
  SET next_attempt_at = (SELECT ledger_now()) + $3 * interval '1 millisecond', attempt_until = NULL, problem = $4
  WHERE id = ANY($1::text[]) AND state = 'waiting' AND attempt_until = $2::timestamptz`;

/** A subject that this replica handles until its lease ends, with the events that wait for the answer. */
export interface Claim {
  readonly subject: EventSubject;
  /** `webhook` when Stripe has sent any of them. */
  readonly source: EventSource;
  readonly eventIds: readonly string[];
  readonly types: readonly string[];
  /** Attempts of the event that was tried least. */
  readonly attempts: number;
  readonly leaseEnd: Date;
}

/** The inbox: events of Stripe, each stored once and claimed by one replica. */
@Injectable()
export class PaymentEventsRepository {
  constructor(private readonly database: TransactionRunner) {}

  /** Resolves to how many are new. */
  async store(events: readonly KnownEvent[], source: EventSource): Promise<number> {
    const parameters = [JSON.stringify(events), source];
    return (await this.database.query('store payment events', insertSql, parameters)).length;
  }

  /** At most `max` due subjects, each for one replica. */
  async claim(max: number): Promise<Claim[]> {
    const now = await readClock(this.database);
    const leaseEnd = new Date(now.getTime() + leaseMs);
    return this.database.query<Claim>('claim payment events', claimSql, [now, max, leaseEnd]);
  }

  /** Records that the events were handled. */
  async end({ eventIds }: Claim, state: 'done' | 'ignored'): Promise<void> {
    await this.database.query('end payment events', endSql, [eventIds, state]);
  }

  /** Records a failed attempt: the events are tried again later. */
  async fail({ eventIds, leaseEnd, attempts }: Claim, problem: string): Promise<void> {
    const delayMs = retryDelaysMs[Math.min(attempts, retryDelaysMs.length) - 1] ?? 5_000;
    await this.database.query('fail payment events', failSql, [eventIds, leaseEnd, delayMs, problem]);
  }
}
