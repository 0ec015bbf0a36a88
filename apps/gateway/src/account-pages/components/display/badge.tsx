import { type ComponentChildren } from 'preact';

interface BadgeProps {
  readonly kind: 'good' | 'neutral' | 'warning' | 'problem';
  readonly children: ComponentChildren;
}

/** A state in one or two words. */
export function Badge({ kind, children }: BadgeProps) {
  return <span class={`badge badge-${kind}`}>{children}</span>;
}
