import { AnyText, Integer, Pattern } from '../shape/fields.js';
import { Shape } from '../shape/shape.js';
import { idempotencyKeyPattern } from './headers.js';

@Shape('What every answer that can cost credits says about them.')
export class Credits {
  @Integer({ description: 'What this call cost.' })
  readonly credits_used: number;

  @Integer({ description: 'The balance after this call.' })
  readonly credits_remaining: number;

  @AnyText({
    optional: true,
    description: 'The balance is 5 credits or fewer: a sentence with the balance.',
  })
  readonly warning?: string;
}

const maxCredits =
  'The most credits this call may cost. If it could cost more, it is refused, free of charge.';

const idempotencyKey =
  'Names this call, for example a UUID. When a result is lost, call again with the same arguments and the same idempotency_key: a paid call is repeated for nothing, up to five times within 15 minutes.';

/** The arguments of every tool that costs credits. */
export class PaidArguments {
  @Integer({ max: 999_999_999, optional: true, description: maxCredits })
  readonly max_credits?: number;

  @Pattern({
    pattern: idempotencyKeyPattern,
    max: 200,
    what: '1 to 200 visible ASCII characters, without spaces',
    optional: true,
    description: idempotencyKey,
  })
  readonly idempotency_key?: string;
}
