interface Balance {
  readonly credits: number;
  readonly threshold: number;
  /** What the last look has found. */
  readonly wasLow: boolean;
}

interface Judgement {
  readonly isLow: boolean;
  /** Only when the balance has just fallen below its threshold. */
  readonly isToBeTold: boolean;
}

/** Whether a balance is below its threshold, and whether its account is to be told so now. */
export function judgeBalance({ credits, threshold, wasLow }: Balance): Judgement {
  const isLow = credits < threshold;
  return { isLow, isToBeTold: isLow && !wasLow };
}
