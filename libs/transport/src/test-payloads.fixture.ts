import { IntegerField, int4Max, OptionalField, TextField } from '@app/contracts';

const anyCount = { min: 0, max: int4Max };

/** The n-th of many. */
export class Numbered {
  @IntegerField(anyCount)
  readonly n: number;
}

export class Named {
  @TextField(100)
  readonly id: string;
}

/** What a replica does, for so long. */
export class Work extends Numbered {
  @OptionalField()
  @IntegerField(anyCount)
  readonly ms?: number;
}

export class Failing {
  @TextField(100)
  readonly code: string;
}

export class Sized {
  @IntegerField(anyCount)
  readonly bytes: number;
}

export class Timed {
  @IntegerField(anyCount)
  readonly ms: number;
}
