import { ConfigError } from '../config/load-config.js';
import { type Logger } from '../logging/logger.js';

/** Something that is started and has to be closed again. */
export interface Closable {
  close(): Promise<unknown>;
}

const shutdownTimeoutMs = 10_000;

/**
 * Starts a service and closes it on SIGTERM or SIGINT, within 10 s. A configuration that is not valid is explained on
 * standard error, exit 1; a start that fails any other way is logged, exit 1.
 */
export function runService(start: () => Promise<{ logger: Logger; service: Closable }>): void {
  start().then(
    ({ logger, service }) => closeOnSignal(logger, service),
    (error: unknown) => {
      const text =
        error instanceof ConfigError ? error.message : String(error instanceof Error ? error.stack : error);
      process.stderr.write(`${text}\n`);
      process.exit(1);
    },
  );
}

function closeOnSignal(logger: Logger, service: Closable): void {
  let closing = false;
  const close = (signal: string): void => {
    if (closing) return;
    closing = true;
    logger.info({ signal }, 'stopping');
    setTimeout(() => {
      logger.error({ shutdownTimeoutMs }, 'did not stop in time');
      process.exit(1);
    }, shutdownTimeoutMs).unref();
    service.close().then(
      () => {
        logger.info('stopped');
        process.exit(0);
      },
      (error: unknown) => {
        logger.error({ err: error }, 'stopped with an error');
        process.exit(1);
      },
    );
  };
  process.once('SIGTERM', () => close('SIGTERM'));
  process.once('SIGINT', () => close('SIGINT'));
}
