import { ConfigError, type Environment } from '../config/load-config.js';
import { showConfig } from '../config/show-config.js';
import { type Logger } from '../logging/logger.js';
import { startTracing, type TracingConfig } from '../tracing/start-tracing.js';

/** Something that is started and has to be closed again. */
export interface Closable {
  close(): Promise<unknown>;
}

interface Running {
  readonly logger: Logger;
  readonly service: Closable;
}

interface ServiceDefinition<Config extends TracingConfig> {
  readonly name: string;
  readonly readConfig: (environment: Environment) => Config;
  readonly start: (config: Config) => Promise<Running>;
}

const shutdownTimeoutMs = 10_000;
const signals = ['SIGTERM', 'SIGINT'] as const;

/**
 * Starts a service and closes it on SIGTERM or SIGINT, within 10 s. A configuration that is not valid is explained on
 * standard error, exit 1; a start that fails any other way is logged, exit 1. `--print-config` shows the configuration, with
 * its secrets hidden, and ends.
 */
export function runService<Config extends TracingConfig>(
  environment: Environment,
  definition: ServiceDefinition<Config>,
): void {
  startService(environment, definition).catch((error: unknown) => {
    const text =
      error instanceof ConfigError ? error.message : String(error instanceof Error ? error.stack : error);
    process.stderr.write(`${text}\n`);
    process.exit(1);
  });
}

async function startService<Config extends TracingConfig>(
  environment: Environment,
  { name, readConfig, start }: ServiceDefinition<Config>,
): Promise<void> {
  const config = readConfig(environment);
  if (process.argv.includes('--print-config')) {
    process.stdout.write(showConfig(config));
    return;
  }
  // Whoever gives up a service that is still starting need not wait: as process 1 it would not even hear the signal.
  const giveUp = (): void => process.exit(1);
  for (const signal of signals) process.once(signal, giveUp);
  const stopTracing = await startTracing(name, config);
  const { logger, service } = await start(config);
  for (const signal of signals) process.off(signal, giveUp);
  closeOnSignal(logger, async () => {
    await service.close();
    await stopTracing();
  });
}

function closeOnSignal(logger: Logger, closeAll: () => Promise<void>): void {
  let closing = false;
  const close = (signal: string): void => {
    if (closing) return;
    closing = true;
    logger.info({ signal }, 'stopping');
    setTimeout(() => {
      logger.error({ shutdownTimeoutMs }, 'did not stop in time');
      process.exit(1);
    }, shutdownTimeoutMs).unref();
    closeAll().then(
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
  for (const signal of signals) process.once(signal, () => close(signal));
}
