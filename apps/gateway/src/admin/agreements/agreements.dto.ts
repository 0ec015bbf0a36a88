import { OptionalField, TimeField } from '@app/contracts';
import { creditsMax, priceCentsMax } from '../validation/amounts.js';
import { IntegerField } from '../validation/fields.js';

export class AgreementBody {
  @IntegerField({ min: 1, max: creditsMax })
  credits: number;

  @IntegerField({ min: 1, max: priceCentsMax })
  price_cents: number;

  @OptionalField()
  @TimeField()
  starts_at?: string;
}
