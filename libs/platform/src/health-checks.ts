import { setTimeout as delay } from 'node:timers/promises';
import { Injectable } from '@nestjs/common';
import { messageOf } from './errors.js';

const answerTimeoutMs = 1_000;

/** The answer of `/health/ready` for these checks. */
export async function runChecks(checks: Readonly<Record<string, HealthCheck>>) {
  const results = Object.entries(await answerAll(checks));
  return {
    status: results.every(([, problem]) => problem === null) ? 'ok' : 'unavailable',
    checks: Object.fromEntries(results.map(([name, problem]) => [name, problem ?? 'ok'])),
  };
}

/** The result of each check within a second, else the reason: probes have short time-outs. */
export async function answerAll<Answer>(
  questions: Readonly<Record<string, () => Promise<Answer>>>,
): Promise<Record<string, Answer | string>> {
  const answers = Object.entries(questions).map(
    async ([name, ask]) => [name, await answerInTime(ask)] as const,
  );
  return Object.fromEntries(await Promise.all(answers));
}

async function answerInTime<Answer>(ask: () => Promise<Answer>): Promise<Answer | string> {
  const timeout = delay(answerTimeoutMs, `no answer within ${answerTimeoutMs} ms`, { ref: false });
  try {
    return await Promise.race([ask(), timeout]);
  } catch (error) {
    return messageOf(error);
  }
}

/** Checks whether this replica can do its job; throws, or returns the reason, when it can't. */
export type HealthCheck = () => Promise<string | null>;

/** Further information for operators, without effect on health. */
export type HealthDetail = () => Promise<unknown>;

/** Health checks of the modules of an application, by name. */
@Injectable()
export class HealthChecks {
  readonly ready: Record<string, HealthCheck> = {};
  readonly details: Record<string, HealthDetail> = {};
}
