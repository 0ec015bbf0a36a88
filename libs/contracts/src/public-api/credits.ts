import { AnyText } from '../shape/answer-fields.js';
import { Integer } from '../shape/fields.js';
import { Shape } from '../shape/shape.js';

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

/** An argument of the tools that cost credits. */
export class MaxCredits {
  @Integer({ max: 999_999_999, optional: true, description: maxCredits })
  readonly max_credits?: number;
}
