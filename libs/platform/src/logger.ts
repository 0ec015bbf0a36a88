import { type LoggerService } from '@nestjs/common';
import { pino, type Logger } from 'pino';
import { buildInfo } from './build-info.js';

export type { Logger } from 'pino';

interface LoggerOptions {
  readonly service: string;
  readonly level: string;
  readonly pretty: boolean;
}

/** Header and field names whose values are redacted anywhere in a logged object. */
const secretPaths = [
  'authorization',
  'key',
  'token',
  'password',
  'admin_token',
  'req.headers.authorization',
].flatMap((name) => [name, `*.${name}`]);

/** A structured logger: one JSON object per line on standard output, each with `service` and `version`. */
export function createLogger({ service, level, pretty }: LoggerOptions): Logger {
  return pino({
    level,
    base: { service, version: buildInfo.version, pid: process.pid },
    redact: { paths: secretPaths, censor: '[redacted]' },
    ...(pretty ? { transport: { target: 'pino-pretty', options: { ignore: 'version,pid,hostname' } } } : {}),
  });
}

const linesOfKindEveryMs = 1_000;

/** Lets a line of each kind through once a second: what fails can fail thousands of times. There must be few kinds. */
export class LogLimit {
  private readonly loggedAt = new Map<string, number>();

  allows(kind: string): boolean {
    const now = performance.now();
    if (now - (this.loggedAt.get(kind) ?? -linesOfKindEveryMs) < linesOfKindEveryMs) return false;
    this.loggedAt.set(kind, now);
    return true;
  }
}

type Level = 'error' | 'warn' | 'debug' | 'trace';

/** Routes Nest's own log lines through the structured logger. */
export class NestLogger implements LoggerService {
  readonly log = this.at('debug');
  readonly error = this.at('error');
  readonly warn = this.at('warn');
  readonly debug = this.at('debug');
  readonly verbose = this.at('trace');

  constructor(private readonly logger: Logger) {}

  /** Nest passes its context ("RoutesResolver") as the last argument and a stack, if any, before it. */
  private at(level: Level): (message: unknown, ...rest: unknown[]) => void {
    return (message, ...rest) => {
      const context = rest.at(-1);
      const fields = { ...(typeof context === 'string' ? { context } : {}) };
      if (message instanceof Error) this.logger[level]({ ...fields, err: message }, message.message);
      else this.logger[level](fields, typeof message === 'string' ? message : JSON.stringify(message));
    };
  }
}
