import { borrowConnection, isDatabaseUnavailable, type Managed, type Queryable } from '@app/platform';
import { Injectable } from '@nestjs/common';
import { InjectDataSource } from '@nestjs/typeorm';
import { DataSource } from 'typeorm';

/** So long nothing is read from replicas after one could not be used. */
const avoidedMs = 5_000;

/** What reads on whichever connection it is given; twice, when the first one can't be used. */
type Read<Result> = (on: Queryable & Managed) => Promise<Result>;

/** Reading from read replicas, which may be a moment behind. */
@Injectable()
export class ReadReplicas {
  private avoidedUntil = -Infinity;
  /** In ms, since any instant. */
  now = (): number => performance.now();

  constructor(@InjectDataSource() private readonly dataSource: DataSource) {}

  /** Reads on a replica; on the primary where there are none, and while one of them can't be used. */
  async read<Result>(work: Read<Result>): Promise<Result> {
    const isPrimaryAsked = !this.dataSource.driver.isReplicated || this.now() < this.avoidedUntil;
    if (isPrimaryAsked) return borrowConnection(this.dataSource, 'master', work);
    try {
      return await borrowConnection(this.dataSource, 'slave', work);
    } catch (error) {
      if (!isDatabaseUnavailable(error)) throw error;
      this.avoidedUntil = this.now() + avoidedMs;
      return borrowConnection(this.dataSource, 'master', work);
    }
  }
}
