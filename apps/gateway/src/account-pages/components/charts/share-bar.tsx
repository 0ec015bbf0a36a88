interface ShareBarProps {
  readonly label: string;
  /** From 0 to 1. */
  readonly share: number;
}

/** How much of a whole is left. */
export function ShareBar({ label, share }: ShareBarProps) {
  return (
    <svg class="share-bar" width="100%" height="8" role="img" aria-label={label}>
      <rect class="whole" width="100%" height="8" rx="4" />
      {share > 0 && <rect class="part" width={`${Math.max(1, share * 100)}%`} height="8" rx="4" />}
    </svg>
  );
}
