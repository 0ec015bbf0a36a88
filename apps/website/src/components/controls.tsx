import { type ComponentChildren } from 'preact';
import { publicPrefix } from '../paths/page-paths.js';
import { usePage } from '../view/page.js';

/** `primary`: the one thing to do on a page. `danger`: below words that say what will stop working. */
type ButtonKind = 'primary' | 'plain' | 'danger';

interface ButtonProps {
  readonly kind?: ButtonKind;
  readonly label?: string | undefined;
  readonly children: ComponentChildren;
}

/** Sends the form around it. */
export function Button({ kind = 'plain', label, children }: ButtonProps) {
  return (
    <button type="submit" class={`button ${kind}`} aria-label={label}>
      {children}
    </button>
  );
}

interface LinkButtonProps extends Omit<ButtonProps, 'label'> {
  readonly href: string;
}

/** A link that looks like a button. */
export function LinkButton({ href, kind = 'plain', children }: LinkButtonProps) {
  return (
    <a class={`button ${kind}`} href={href}>
      {children}
    </a>
  );
}

interface TabsProps<Tab extends string> {
  readonly label: string;
  /** Their names, in the order shown. */
  readonly names: Readonly<Record<Tab, string>>;
  readonly current: string | undefined;
  readonly pathOf: (tab: Tab) => string;
}

/** Links to pages, or views of a page, one of which is shown. */
export function Tabs<Tab extends string>({ label, names, current, pathOf }: TabsProps<Tab>) {
  return (
    <nav class="tabs" aria-label={label}>
      {(Object.keys(names) as Tab[]).map((tab) => (
        <a key={tab} href={pathOf(tab)} aria-current={tab === current ? 'page' : undefined}>
          {names[tab]}
        </a>
      ))}
    </nav>
  );
}

interface CodeProps {
  readonly id?: string;
  readonly label: string;
  readonly text: string;
}

/** A text of a program that can be scrolled from the keyboard. */
export function Code({ id, label, text }: CodeProps) {
  return (
    <pre id={id} tabIndex={0} role="region" aria-label={label}>
      <code>{text}</code>
    </pre>
  );
}

interface CopyableProps {
  readonly id: string;
  readonly text: string;
  /** What it is, for the button: `Copy key`. */
  readonly what: string;
  /** Shown once: leaving the page removes it, and before it was copied asks for confirmation once. */
  readonly isSecret?: boolean | undefined;
}

/** A text to copy, with a button if scripts run. */
export function Copyable({ id, text, what, isSecret }: CopyableProps) {
  return (
    <div class="line" data-secret={isSecret ? '' : undefined}>
      <Code id={id} label={what} text={text} />
      <button type="button" class="button plain" data-copies={id} hidden>
        Copy {what}
      </button>
    </div>
  );
}

/** A command that makes a call with this key. */
export function FirstCall({ apiKey, isSecret }: { readonly apiKey: string; readonly isSecret?: boolean }) {
  const url = `${usePage().apiOrigin}${publicPrefix}/search?limit=3`;
  const text = `curl -H 'Authorization: Bearer ${apiKey}' \\\n  '${url}'`;
  return <Copyable id="command" what="command" text={text} isSecret={isSecret} />;
}
