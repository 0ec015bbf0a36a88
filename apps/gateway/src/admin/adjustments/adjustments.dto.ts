import { NotEquals } from 'class-validator';
import { creditsMax, referenceLengthMax } from '../validation/amounts.js';
import { IntegerField, TextField } from '../validation/fields.js';

export class AdjustmentBody {
  @IntegerField({ min: -creditsMax, max: creditsMax })
  @NotEquals(0, { message: 'credits must not be 0' })
  credits: number;

  @TextField(500)
  reason: string;

  @TextField(referenceLengthMax)
  reference: string;
}
