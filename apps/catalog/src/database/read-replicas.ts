import { isDatabaseUnavailable } from '#platform';
import { type Managed, type Queryable, borrowConnection } from '#platform/database';
import { Injectable, Module } from '@nestjs/common';
import { InjectDataSource } from '@nestjs/typeorm';
import { DataSource } from 'typeorm';

/** How long replicas are avoided after one was unusable. */
const avoidedMs = 5_000;

/** Reads on the connection it is given; called twice when the first one is unusable. */
type Read<Result> = (on: Queryable & Managed) => Promise<Result>;

/** Reads from read replicas, which may lag slightly. */
@Injectable()
export class ReadReplicas {
  private avoidedUntil = -Infinity;
  /** In ms, since any instant. */
  now = (): number => performance.now();

  constructor(@InjectDataSource() private readonly dataSource: DataSource) {}

  /** Whether what is read may be older than what the primary has. */
  get areUsed(): boolean {
    return this.dataSource.driver.isReplicated;
  }

  /** Reads from a replica; from the primary without replicas, and while one of them is unusable. */
  async read<Result>(work: Read<Result>): Promise<Result> {
    const isPrimaryAsked = !this.areUsed || this.now() < this.avoidedUntil;
    if (isPrimaryAsked) return this.readPrimary(work);
    try {
      return await borrowConnection(this.dataSource, 'slave', work);
    } catch (error) {
      if (!isDatabaseUnavailable(error)) throw error;
      this.avoidedUntil = this.now() + avoidedMs;
      return this.readPrimary(work);
    }
  }

  /** Reads what can't be out of date. */
  readPrimary<Result>(work: Read<Result>): Promise<Result> {
    return borrowConnection(this.dataSource, 'master', work);
  }
}

/** Read replicas; when one is unusable, the whole catalog avoids all of them. */
@Module({ providers: [ReadReplicas], exports: [ReadReplicas] })
export class ReadReplicasModule {}
