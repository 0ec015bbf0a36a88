import { type ComponentChildren } from 'preact';

interface DialogProps {
  readonly id: string;
  readonly title: string;
  readonly children: ComponentChildren;
}

/** A question that a script opens over the page; without one, the link that opens it leads to a page with the same. */
export function Dialog({ id, title, children }: DialogProps) {
  return (
    <dialog id={id} class="dialog" aria-labelledby={`${id}-title`}>
      <h2 id={`${id}-title`}>{title}</h2>
      {children}
    </dialog>
  );
}
