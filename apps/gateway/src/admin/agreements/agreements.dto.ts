import { Integer, Time } from '@app/contracts';
import { creditsMax, priceCentsMax } from '../validation/amounts.js';

export class AgreementBody {
  @Integer({ min: 1, max: creditsMax })
  readonly credits: number;

  @Integer({ min: 1, max: priceCentsMax })
  readonly price_cents: number;

  @Time({ optional: true })
  readonly starts_at?: string;
}
