interface CopyableProps {
  readonly id: string;
  readonly text: string;
  /** What it is, for the button: `Copy key`. */
  readonly what: string;
  /** Shown once: it is gone from the page when the page is left. */
  readonly isSecret?: boolean;
  /** Leaving the page before it was copied asks once. */
  readonly mustCopy?: boolean;
}

/** A text to be taken elsewhere, with a button where scripts run. */
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
