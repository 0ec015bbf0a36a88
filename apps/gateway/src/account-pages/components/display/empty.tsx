import { type ComponentChildren } from 'preact';

/** What would be here, and how to get there. */
export function Empty({ children }: { readonly children: ComponentChildren }) {
  return <div class="empty">{children}</div>;
}
