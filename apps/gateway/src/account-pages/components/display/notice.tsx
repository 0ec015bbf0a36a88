import { type ComponentChildren } from 'preact';

interface NoticeProps {
  /** `problem`: something failed. `warning`: something will. */
  readonly kind: 'info' | 'warning' | 'problem';
  readonly children: ComponentChildren;
}

/** A line that has to be seen before anything else on the page. */
export function Notice({ kind, children }: NoticeProps) {
  return (
    <div class={`notice notice-${kind}`} role={kind === 'problem' ? 'alert' : undefined}>
      {children}
    </div>
  );
}
