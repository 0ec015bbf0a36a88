import { Integer, Text } from '@app/contracts';
import { creditsMax, referenceLengthMax } from '../validation/amounts.js';

export class AdjustmentBody {
  @Integer({ min: -creditsMax, max: creditsMax, except: 0 })
  readonly credits: number;

  @Text({ max: 500 })
  readonly reason: string;

  @Text({ max: referenceLengthMax })
  readonly reference: string;
}
