import { ChoiceField, OptionalField, type PackName, TimeField } from '@app/contracts';
import { creditsMax, priceCentsMax, referenceLengthMax } from '../validation/amounts.js';
import { IntegerField, TextField } from '../validation/fields.js';

const packNames: readonly PackName[] = ['trial', 'builder', 'scale', 'enterprise'];

/** Billing decides which fields a pack needs. */
export class PurchaseBody {
  @ChoiceField(packNames)
  pack: PackName;

  @TextField(referenceLengthMax)
  reference: string;

  @OptionalField()
  @IntegerField({ min: 1, max: creditsMax })
  credits?: number;

  @OptionalField()
  @IntegerField({ min: 0, max: priceCentsMax })
  price_cents?: number;

  @OptionalField()
  @TimeField()
  purchased_at?: string;
}
