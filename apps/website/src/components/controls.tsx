import { type ComponentChildren } from 'preact';
import { publicPrefix } from '../paths/page-paths.js';

/**
 * `primary`: the one thing to do on a page. `danger`: only in a dialog that says what will stop working. `danger-outline`: opens
 * such a dialog.
 */
type ButtonKind = 'primary' | 'plain' | 'quiet' | 'danger' | 'danger-outline';

interface ButtonProps {
  readonly kind?: ButtonKind;
  readonly disabled?: boolean;
  readonly name?: string;
  readonly value?: string;
  readonly formAction?: string;
  readonly label?: string;
  readonly children: ComponentChildren;
}

/** Sends the form around it. */
export function Button({ kind = 'plain', disabled, name, value, formAction, label, children }: ButtonProps) {
  return (
    <button
      type="submit"
      class={`button button-${kind}`}
      disabled={disabled}
      name={name}
      value={value}
      formAction={formAction}
      aria-label={label}
    >
      {children}
    </button>
  );
}

interface LinkButtonProps {
  readonly href: string;
  readonly kind?: ButtonKind;
  /** The id of a dialog on the page that a script opens instead. */
  readonly opens?: string;
  readonly label?: string;
  readonly children: ComponentChildren;
}

/** A link that looks like a button. */
export function LinkButton({ href, kind = 'plain', opens, label, children }: LinkButtonProps) {
  return (
    <a class={`button button-${kind}`} href={href} data-opens={opens} aria-label={label}>
      {children}
    </a>
  );
}

interface CopyableProps {
  readonly id: string;
  readonly text: string;
  /** What it is, for the button: `Copy key`. */
  readonly what: string;
  /** Shown once: leaving the page removes it. */
  readonly isSecret?: boolean;
  /** Leaving the page before copying it asks for confirmation once. */
  readonly mustCopy?: boolean;
}

/** A text to copy, with a button if scripts run. */
export function Copyable({ id, text, what, isSecret, mustCopy }: CopyableProps) {
  return (
    <div class="copyable" data-secret={isSecret ? '' : undefined} data-must-copy={mustCopy ? '' : undefined}>
      <pre id={id} tabIndex={0} role="region" aria-label={what}>
        <code>{text}</code>
      </pre>
      <button type="button" class="button button-plain" data-copies={id} hidden>
        Copy {what}
      </button>
    </div>
  );
}

/** A command that makes a call with this key. */
export function firstCall(origin: string, key: string): string {
  return `curl -H 'Authorization: Bearer ${key}' \\\n  '${origin}${publicPrefix}/search?limit=3'`;
}
