import { Injectable } from '@nestjs/common';

/** Checks whether this replica can do its job; throws, or returns the reason, when it can't. */
export type HealthCheck = () => Promise<string | null>;

/** Further information for operators, without effect on health. */
export type HealthDetail = () => Promise<unknown>;

/** Health checks of the modules of an application, by name. */
@Injectable()
export class HealthChecks {
  readonly ready: Record<string, HealthCheck> = {};
  /** Liveness: failures that only a restart cures. */
  readonly live: Record<string, HealthCheck> = {};
  readonly details: Record<string, HealthDetail> = {};
}
