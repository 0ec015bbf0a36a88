import { Injectable } from '@nestjs/common';

/** Answers "can this replica do its job now?"; throws, or gives the reason, when it can't. */
export type HealthCheck = () => Promise<string | null>;

/** What else an operator wants to see beside the checks; decides nothing. */
export type HealthDetail = () => Promise<unknown>;

/** What the modules of an application have to say about their health, each part under its name. */
@Injectable()
export class HealthChecks {
  readonly ready: Record<string, HealthCheck> = {};
  /** What only a restart mends. */
  readonly live: Record<string, HealthCheck> = {};
  readonly details: Record<string, HealthDetail> = {};
}
