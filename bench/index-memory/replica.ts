import 'reflect-metadata';
import { performance } from 'node:perf_hooks';
import { setImmediate as yieldToEventLoop, setTimeout as wait } from 'node:timers/promises';
import { type SearchRequest } from '@app/contracts';
import { SnapshotStore } from '@app/creator-index';
import { createLogger } from '@app/platform';
import { TransactionRunner } from '@app/platform/database';
import { DataSource } from 'typeorm';
import { catalogDataSourceOptions } from '../../apps/catalog/src/database/data-source.js';
import { entities } from '../../apps/catalog/src/entities.js';
import { BitmapSearchEngine } from '../../apps/catalog/src/search/bitmap-search-engine.js';
import { toCriteria } from '../../apps/catalog/src/search/search.controller.js';
import { WorkerIndexBuilder } from '../../apps/catalog/src/search-index/index-builder.js';
import { IndexMemory } from '../../apps/catalog/src/search-index/index-memory.js';
import { IndexSnapshots } from '../../apps/catalog/src/search-index/index-snapshots.js';
import { SearchIndexManager } from '../../apps/catalog/src/search-index/search-index-manager.js';
import { BackgroundWork } from '../../apps/catalog/src/threads/background-work.js';
import { percentile } from '../percentile.js';

/** What the parent asks for, one at a time. */
export type ReplicaTask =
  | { readonly kind: 'open'; readonly url: string; readonly directory: string; readonly loads: boolean }
  | { readonly kind: 'save' }
  | { readonly kind: 'search'; readonly queries: readonly SearchRequest[] }
  | { readonly kind: 'stop searching' }
  | { readonly kind: 'figures' };

export interface Figures {
  readonly creators: number;
  readonly indexBytes: number;
  readonly revision: number;
}

export interface Searched {
  readonly p50Ms: number;
  readonly p99Ms: number;
}

/** Between two searches: the thread is mostly idle, so what a search waits for is the import. */
const pauseMs = 2;
const worker = new URL('../../apps/catalog/src/search-index/segment-worker.js', import.meta.url);

/** The index of a catalog without the rest of it: started, searched and copied to disk as the service does. */
class Replica {
  private readonly background = new BackgroundWork();
  private manager: SearchIndexManager | null = null;
  private snapshots: IndexSnapshots | null = null;
  private searching: { readonly times: number[]; isStopped: boolean; ended: Promise<void> } | null = null;

  async open(url: string, directory: string, loads: boolean): Promise<{ seconds: number }> {
    const dataSource = await new DataSource(
      catalogDataSourceOptions({ url, poolSize: 4, entities }),
    ).initialize();
    const { query } = new TransactionRunner(dataSource);
    const logger = createLogger({ service: 'catalog', level: 'warn', pretty: false });
    const memory = new IndexMemory(Infinity, logger);
    const store = new SnapshotStore(directory);
    this.snapshots = new IndexSnapshots(store, query, memory, logger);
    this.manager = new SearchIndexManager({
      query,
      announcementsUrl: url,
      builder: new WorkerIndexBuilder(worker, url, this.background),
      background: this.background,
      memory,
      siteUrl: 'https://site.example',
      logger,
      snapshots: loads ? store : null,
    });
    const startedAt = performance.now();
    await this.manager.open();
    return { seconds: secondsSince(startedAt) };
  }

  async save(): Promise<{ seconds: number }> {
    const { index, currentState } = this.opened;
    if (!index || !currentState || !this.snapshots) throw new Error('there is no index to save');
    const startedAt = performance.now();
    await this.snapshots.save(index, currentState);
    return { seconds: secondsSince(startedAt) };
  }

  figures(): Figures {
    const { index, revision = 0 } = this.opened;
    return { creators: index?.documents ?? 0, indexBytes: index?.bytes ?? 0, revision };
  }

  search(queries: readonly SearchRequest[]): object {
    const searching = { times: [], isStopped: false, ended: Promise.resolve() };
    searching.ended = this.searchUntilStopped(queries, searching);
    this.searching = searching;
    return {};
  }

  async stopSearching(): Promise<Searched> {
    if (!this.searching) throw new Error('nothing is being searched');
    this.searching.isStopped = true;
    await this.searching.ended;
    const { times } = this.searching;
    return { p50Ms: percentile(times, 0.5), p99Ms: percentile(times, 0.99) };
  }

  /** A search's time includes what the thread does before it gets to it. */
  private async searchUntilStopped(
    queries: readonly SearchRequest[],
    searching: { readonly times: number[]; readonly isStopped: boolean },
  ): Promise<void> {
    const engine = new BitmapSearchEngine(() => this.opened.index);
    const criteria = queries.map((query) => toCriteria(query));
    for (let asked = 0; !searching.isStopped; asked++) {
      const one = criteria[asked % criteria.length];
      if (!one) throw new Error('there are no queries');
      this.background.noteCall();
      const startedAt = performance.now();
      await yieldToEventLoop();
      await engine.search(one);
      searching.times.push(performance.now() - startedAt);
      await wait(pauseMs);
    }
  }

  private get opened(): SearchIndexManager {
    if (!this.manager) throw new Error('the index has not been opened');
    return this.manager;
  }
}

function secondsSince(startedAt: number): number {
  return (performance.now() - startedAt) / 1_000;
}

const replica = new Replica();

function run(task: ReplicaTask): object | Promise<object> {
  switch (task.kind) {
    case 'open':
      return replica.open(task.url, task.directory, task.loads);
    case 'save':
      return replica.save();
    case 'search':
      return replica.search(task.queries);
    case 'stop searching':
      return replica.stopSearching();
    case 'figures':
      return replica.figures();
  }
}

process.on('message', (task: ReplicaTask) => {
  void Promise.resolve(run(task)).then((answer) => process.send?.(answer));
});
process.on('disconnect', () => process.exit(0));
