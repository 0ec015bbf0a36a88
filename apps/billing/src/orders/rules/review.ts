import { type OrderResolution } from '@app/contracts';
import { type PaymentState } from './payment-state.js';

/** What an operator has to decide about an order, and what became of it. */
export interface Review {
  /** In plain words, for an operator alone; `null`: nothing. */
  readonly problem: string | null;
  /** The sessions whose payments the problem is about; none without one. */
  readonly problemSessions: readonly string[];
  /** `null`: it is open. */
  readonly resolution: OrderResolution | null;
}

type Payment = Pick<PaymentState, 'sessionId'>;

/** The review of an order. */
export function reviewOf({ problem, problemSessions, resolution }: Review): Review {
  return { problem, problemSessions, resolution };
}

/** Whether the operator knows of something about the payment, also when that was decided. */
export function concerns({ problemSessions }: Review, { sessionId }: Payment): boolean {
  return problemSessions.includes(sessionId);
}

/** It is open, with what was found about the payment besides what is known. */
export function withFinding(known: Review, { sessionId }: Payment, finding: string): Review {
  return {
    problem: known.problem === null ? finding : `${known.problem}; ${finding}`,
    problemSessions: [...new Set([...known.problemSessions, sessionId])],
    resolution: null,
  };
}

/** A review ends by itself when it is of this payment alone. */
export function ended(review: Review, { sessionId }: Payment, resolution: OrderResolution): Review {
  const [only, ...others] = review.problemSessions;
  const isOfThisAlone = only === sessionId && others.length === 0;
  return isOfThisAlone && review.resolution === null ? { ...review, resolution } : review;
}
