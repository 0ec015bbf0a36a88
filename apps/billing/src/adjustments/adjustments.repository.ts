import { type Managed } from '@app/platform/database';
import { Injectable } from '@nestjs/common';
import { Adjustment } from './adjustment.entity.js';

/** Adjustments, each with its reason; only ever read and written under the lock of its account. */
@Injectable()
export class AdjustmentsRepository {
  /** Served by `adjustments_reference_unique`. */
  findByReference({ manager }: Managed, accountId: string, reference: string): Promise<Adjustment | null> {
    return manager.findOneBy(Adjustment, { accountId, reference });
  }

  async insert({ manager }: Managed, adjustment: Adjustment): Promise<void> {
    await manager.insert(Adjustment, adjustment);
  }
}
