import { IntegerField } from '@app/contracts';

const anyNumber = { min: 0, max: Number.MAX_SAFE_INTEGER };

/** The payload of the benchmark's message, validated as those of the services are. */
export class Summands {
  @IntegerField(anyNumber)
  readonly a: number;

  @IntegerField(anyNumber)
  readonly b: number;
}
