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

/** Routes Nest's own log lines through the structured logger. */
export class NestLogger implements LoggerService {
  constructor(private readonly logger: Logger) {}

  log(message: unknown, ...rest: unknown[]): void {
    this.write('debug', message, rest);
  }

  error(message: unknown, ...rest: unknown[]): void {
    this.write('error', message, rest);
  }

  warn(message: unknown, ...rest: unknown[]): void {
    this.write('warn', message, rest);
  }

  debug(message: unknown, ...rest: unknown[]): void {
    this.write('debug', message, rest);
  }

  verbose(message: unknown, ...rest: unknown[]): void {
    this.write('trace', message, rest);
  }

  /** Nest passes its context ("RoutesResolver") as the last argument and a stack, if any, before it. */
  private write(level: 'error' | 'warn' | 'debug' | 'trace', message: unknown, rest: unknown[]): void {
    const context = rest.at(-1);
    const fields = { ...(typeof context === 'string' ? { context } : {}) };
    if (message instanceof Error) this.logger[level]({ ...fields, err: message }, message.message);
    else this.logger[level](fields, typeof message === 'string' ? message : JSON.stringify(message));
  }
}
