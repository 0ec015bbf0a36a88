import { type ComponentChildren } from 'preact';

/** Names with values, side by side. */
export function Facts({ children }: { readonly children: ComponentChildren }) {
  return <dl class="facts">{children}</dl>;
}

interface FactProps {
  readonly name: string;
  readonly class?: string;
  readonly children: ComponentChildren;
}

export function Fact({ name, class: className, children }: FactProps) {
  return (
    <div class={className}>
      <dt>{name}</dt>
      <dd>{children}</dd>
    </div>
  );
}
