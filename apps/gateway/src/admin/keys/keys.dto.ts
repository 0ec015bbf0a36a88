import { BooleanField, OptionalField } from '@app/contracts';
import { TextField } from '../validation/fields.js';

const keyNameLengthMax = 100;

export class CreateKeyBody {
  @TextField(keyNameLengthMax)
  name: string;
}

export class UpdateKeyBody {
  @OptionalField()
  @TextField(keyNameLengthMax)
  name?: string;

  @OptionalField()
  @BooleanField()
  active?: boolean;
}
