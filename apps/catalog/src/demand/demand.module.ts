import { LOGGER, type Logger, PeriodicTask } from '#platform';
import { Inject, Injectable, Module } from '@nestjs/common';
import { DemandRepository } from './demand.repository.js';
import { ReadCounter } from './read-counter.js';

const flushIntervalMs = 60_000;

/** Stores the reads of profiles that this replica has counted. Those of the last minute are lost when it ends. */
@Injectable()
export class ReadsFlush extends PeriodicTask {
  constructor(counter: ReadCounter, demand: DemandRepository, @Inject(LOGGER) logger: Logger) {
    super({
      run: () => flushReads(counter, demand),
      intervalMs: flushIntervalMs,
      jitter: 0.1,
      problem: 'reads of profiles not stored',
      logger,
    });
  }
}

/** What can't be stored is counted again, as far as there is room. */
export async function flushReads(counter: ReadCounter, demand: Pick<DemandRepository, 'add'>): Promise<void> {
  const counts = counter.take();
  try {
    await demand.add(counts);
  } catch (error) {
    for (const [slug, reads] of counts) counter.count(slug, reads);
    throw error;
  }
}

/** How often creators are asked for. */
@Module({ providers: [DemandRepository, ReadCounter, ReadsFlush], exports: [DemandRepository, ReadCounter] })
export class DemandModule {}
