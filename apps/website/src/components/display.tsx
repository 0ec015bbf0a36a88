import { type ComponentChildren } from 'preact';
import {
  formatDate,
  formatExactMoment,
  formatMoment,
  formatRelative,
  formatShortMoment,
} from '../view/dates.js';
import { usePage } from '../view/page.js';

interface PageTitleProps {
  readonly title: string;
  /** Answers the question of the page in one line, with a number. */
  readonly answer: ComponentChildren;
  readonly action?: ComponentChildren;
}

/** The top of every member page. */
export function PageTitle({ title, answer, action }: PageTitleProps) {
  return (
    <header class="page-title">
      <div>
        <h1>{title}</h1>
        <p class="answer">{answer}</p>
      </div>
      {action && <div class="page-action">{action}</div>}
    </header>
  );
}

interface PanelProps {
  readonly title: string;
  readonly children: ComponentChildren;
}

/** A page with one question or one message. */
export function Panel({ title, children }: PanelProps) {
  return (
    <section class="panel">
      <h1>{title}</h1>
      {children}
    </section>
  );
}

interface CardProps {
  readonly title: string;
  readonly id?: string;
  /** Beside the title. */
  readonly aside?: ComponentChildren;
  readonly children: ComponentChildren;
}

/** A section of a page with its own title. */
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

interface BadgeProps {
  readonly kind: 'good' | 'neutral' | 'warning' | 'problem';
  readonly children: ComponentChildren;
}

/** A state in one or two words. */
export function Badge({ kind, children }: BadgeProps) {
  return <span class={`badge badge-${kind}`}>{children}</span>;
}

/** Says what a form has just changed. Gets the focus, so that screen readers read it and the keyboard continues from there. */
export function Done({ children }: { readonly children: ComponentChildren }) {
  return (
    <p class="callout callout-done" role="status" tabIndex={-1} autofocus>
      {children}
    </p>
  );
}

interface CalloutProps {
  /** `problem`: something failed. `warning`: something will. */
  readonly kind: 'info' | 'warning' | 'problem';
  readonly children: ComponentChildren;
}

/** A line at the top of a page that must not be missed. */
export function Callout({ kind, children }: CalloutProps) {
  return (
    <div class={`callout callout-${kind}`} role={kind === 'problem' ? 'alert' : undefined}>
      {children}
    </div>
  );
}

/** Stands in for missing data: what will be here, and how to get there. */
export function Empty({ children }: { readonly children: ComponentChildren }) {
  return <div class="empty">{children}</div>;
}

interface MomentProps {
  /** ISO 8601 UTC. */
  readonly at: string;
  /** `date`: only the day. `exact`: UTC with milliseconds, where the time is evidence. */
  readonly as?: 'moment' | 'date' | 'exact';
}

/** A time: relative if less than a day away, otherwise UTC, which a script makes local. The title is always in UTC. */
export function Moment({ at, as = 'moment' }: MomentProps) {
  const { now } = usePage();
  if (as === 'exact') return <time dateTime={at}>{formatExactMoment(at)}</time>;
  const relative = formatRelative(at, now);
  const local = relative === null ? as : undefined;
  return (
    <time dateTime={at} title={formatMoment(at)} data-local={local}>
      {relative ?? (as === 'date' ? formatDate(at) : formatShortMoment(at, now))}
    </time>
  );
}
