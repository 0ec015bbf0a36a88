import { Flag, Text } from '@app/contracts';

const keyNameLengthMax = 100;

export class CreateKeyBody {
  @Text({ max: keyNameLengthMax })
  readonly name: string;
}

export class UpdateKeyBody {
  @Text({ max: keyNameLengthMax, optional: true })
  readonly name?: string;

  @Flag({ optional: true })
  readonly active?: boolean;
}
