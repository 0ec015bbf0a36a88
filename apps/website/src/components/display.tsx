import { type ComponentChildren } from 'preact';
import { formatDate, formatMoment, formatSecond } from '../view/dates.js';
import { type PageView } from '../view/page.js';

/** A page with one question or one message. */
export function panelPage(title: string, body: ComponentChildren, page: Partial<PageView> = {}): PageView {
  const panel = (
    <section class="card panel">
      <h1>{title}</h1>
      {body}
    </section>
  );
  return { title, body: panel, ...page };
}

interface CardProps {
  readonly title: string;
  readonly children: ComponentChildren;
  readonly id?: string;
  /** Beside the title. */
  readonly aside?: ComponentChildren;
}

/** A section of a page with its own title. */
export function Card({ title, id, aside, children }: CardProps) {
  return (
    <section class="card" id={id}>
      <header class="line">
        <h2>{title}</h2>
        {aside}
      </header>
      {children}
    </section>
  );
}

interface ListCardProps extends Pick<CardProps, 'title' | 'id'> {
  readonly rows: readonly ComponentChildren[];
}

/** A card with a list of rows; nothing without any. */
export function ListCard({ rows, ...card }: ListCardProps) {
  if (rows.length === 0) return null;
  return (
    <Card {...card}>
      <ul>{rows}</ul>
    </Card>
  );
}

/** Names with values, side by side; those without a value are left out. */
export function Facts({ of }: { readonly of: Readonly<Record<string, ComponentChildren>> }) {
  const known = Object.entries(of).filter(([, value]) => (value ?? false) !== false);
  return (
    <dl class="facts">
      {known.map(([name, value]) => (
        <div key={name}>
          <dt>{name}</dt>
          <dd>{value}</dd>
        </div>
      ))}
    </dl>
  );
}

interface RowProps {
  readonly title: ComponentChildren;
  /** Beside the title. */
  readonly badge?: ComponentChildren;
  /** Below the title. */
  readonly hint?: ComponentChildren;
  /** What can be done with it. */
  readonly children?: ComponentChildren;
}

/** An item of a list of `rows`. */
export function Row({ title, badge, hint, children }: RowProps) {
  return (
    <li class="line">
      <div class="row-text">
        <strong>{title}</strong> {badge}
        {hint && <div class="hint">{hint}</div>}
      </div>
      <div class="group">{children}</div>
    </li>
  );
}

export type BadgeKind = 'good' | 'neutral' | 'warning' | 'problem';

interface BadgeProps {
  readonly kind: BadgeKind;
  readonly children: ComponentChildren;
}

/** A state in one or two words. */
export function Badge({ kind, children }: BadgeProps) {
  return <span class={`badge ${kind}`}>{children}</span>;
}

/** Says what a form has just changed. Gets the focus, so that screen readers read it and the keyboard continues from there. */
export function Done({ children }: { readonly children: ComponentChildren }) {
  return (
    <p class="callout good" role="status" tabIndex={-1} autofocus>
      {children}
    </p>
  );
}

interface CalloutProps {
  /** `problem`: something failed. `warning`: something will. */
  readonly kind: 'neutral' | 'warning' | 'problem';
  readonly children: ComponentChildren;
}

/** A line at the top of a page that must not be missed. */
export function Callout({ kind, children }: CalloutProps) {
  return (
    <div class={`callout ${kind}`} role={kind === 'problem' ? 'alert' : undefined}>
      {children}
    </div>
  );
}

/** Stands in for missing data: what will be here, and how to get there. */
export function Empty({ children }: { readonly children: ComponentChildren }) {
  return <p class="empty">{children}</p>;
}

interface MomentProps {
  /** ISO 8601 UTC. */
  readonly at: string;
  /** `date`: only the day. `exact`: with seconds, where the time is evidence. */
  readonly as?: 'moment' | 'date' | 'exact';
}

/** A time that a script makes local; without one, and in the title, it is in UTC and says so. */
export function Moment({ at, as = 'moment' }: MomentProps) {
  const inUtc = `${as === 'exact' ? formatSecond(at) : formatMoment(at)} UTC`;
  return (
    <time dateTime={at} title={inUtc} data-local={as}>
      {as === 'date' ? formatDate(at) : inUtc}
    </time>
  );
}
