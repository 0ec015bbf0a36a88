import { Choice, Integer, type PackName, Text, Time } from '@app/contracts';
import { creditsMax, priceCentsMax, referenceLengthMax } from '../validation/amounts.js';

const packNames: readonly PackName[] = ['trial', 'builder', 'scale', 'enterprise'];

/** Billing decides which fields a pack needs. */
export class PurchaseBody {
  @Choice(packNames)
  readonly pack: PackName;

  @Text({ max: referenceLengthMax })
  readonly reference: string;

  @Integer({ min: 1, max: creditsMax, optional: true })
  readonly credits?: number;

  @Integer({ max: priceCentsMax, optional: true })
  readonly price_cents?: number;

  @Time({ optional: true })
  readonly purchased_at?: string;
}
