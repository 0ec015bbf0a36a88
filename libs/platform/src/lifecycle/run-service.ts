import { buildInfo } from '../build-info.js';
import { ConfigError, type Environment, showConfig } from '../config/load-config.js';
import { StartError } from '../errors.js';
import { createLogger, type Logger } from '../logger.js';
import { series } from '../metrics.js';
import { enableSourceMaps } from '../source-maps.js';
import { startTracing } from '../tracing.js';

/** Something started that has to be closed. */
export interface Closable {
  close(): Promise<unknown>;
}

interface RunConfig {
  readonly OTEL_EXPORTER_OTLP_ENDPOINT: string;
  readonly SHUTDOWN_MS: number;
  readonly LOG_LEVEL: string;
  readonly LOG_PRETTY: string;
}

interface ServiceDefinition<Config extends RunConfig> {
  readonly name: string;
  readonly readConfig: (environment: Environment) => Config;
  readonly start: (config: Config, logger: Logger) => Promise<Closable>;
}

const signals = ['SIGTERM', 'SIGINT'] as const;

/**
 * Starts a service and closes it on SIGTERM or SIGINT; if that takes longer than `SHUTDOWN_MS`, exits with 1. An
 * invalid configuration or a failed start is explained on standard error, exit 1. `--print-config` prints the
 * configuration, with its secrets hidden, and exits.
 */
export function runService<Config extends RunConfig>(
  environment: Environment,
  definition: ServiceDefinition<Config>,
): void {
  runToEnd(() => startService(environment, definition));
}

async function startService<Config extends RunConfig>(
  environment: Environment,
  { name, readConfig, start }: ServiceDefinition<Config>,
): Promise<void> {
  const config = readConfig(environment);
  if (process.argv.includes('--print-config')) {
    process.stdout.write(showConfig(config));
    return;
  }
  // SIGTERM during start-up exits at once: as process 1 it would not even receive the signal.
  const giveUp = (): void => process.exit(1);
  for (const signal of signals) process.once(signal, giveUp);
  const stopTracing = await startTracing(name, config.OTEL_EXPORTER_OTLP_ENDPOINT);
  const logger = createLogger({
    service: name,
    level: config.LOG_LEVEL,
    pretty: config.LOG_PRETTY === 'true',
  });
  const { version, commit } = buildInfo;
  const { node } = process.versions;
  const built = { service: name, version, commit, node };
  const help = 'What this process was built from, and the Node.js it runs on; always 1.';
  series('build_info', help, Object.keys(built), () => [[built, 1]]);
  logger.info({ commit, node }, 'starting');
  const service = await start(config, logger);
  for (const signal of signals) process.off(signal, giveUp);
  closeOnSignal(logger, config.SHUTDOWN_MS, async () => {
    await service.close();
    await stopTracing();
  });
}

function closeOnSignal(logger: Logger, withinMs: number, closeAll: () => Promise<void>): void {
  let closing = false;
  const close = (signal: string): void => {
    if (closing) return;
    closing = true;
    logger.info({ signal }, 'stopping');
    setTimeout(() => {
      logger.error({ shutdown_ms: withinMs }, 'did not stop in time');
      process.exit(1);
    }, withinMs).unref();
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

/** Runs the program's work; a failure is explained on standard error, exit 1. Stacks name lines of the sources. */
export function runToEnd(work: () => Promise<void>): void {
  enableSourceMaps();
  work().catch((error: unknown) => {
    process.stderr.write(`${explain(error)}\n`);
    process.exit(1);
  });
}

/** The error text; with a stack only where the message may not suffice. */
function explain(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const isPlain = error instanceof ConfigError || error instanceof StartError;
  return isPlain ? error.message : (error.stack ?? error.message);
}
