import { type ComponentChildren } from 'preact';

interface CardProps {
  readonly title: string;
  readonly id?: string;
  /** Beside the title. */
  readonly aside?: ComponentChildren;
  readonly children: ComponentChildren;
}

/** A part of a page with a title of its own. */
export function Card({ title, id, aside, children }: CardProps) {
  return (
    <section class="card" id={id}>
      <header class="card-title">
        <h2>{title}</h2>
        {aside}
      </header>
      {children}
    </section>
  );
}
