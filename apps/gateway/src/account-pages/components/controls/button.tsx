import { type ComponentChildren } from 'preact';

/**
 * `primary`: the one thing to do on a page. `danger`: only in a dialog that says what will stop working. `danger-outline`: opens
 * such a dialog.
 */
export type ButtonKind = 'primary' | 'plain' | 'quiet' | 'danger' | 'danger-outline';

interface ButtonProps {
  readonly kind?: ButtonKind;
  readonly disabled?: boolean;
  readonly name?: string;
  readonly value?: string;
  readonly formAction?: string;
  readonly label?: string;
  readonly children: ComponentChildren;
}

/** Sends the form that it stands in. */
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
