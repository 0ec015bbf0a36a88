import { Integer } from '@app/contracts';

/** The payload of the benchmark's message, validated as those of the services are. */
export class Summands {
  @Integer()
  readonly a: number;

  @Integer()
  readonly b: number;
}
