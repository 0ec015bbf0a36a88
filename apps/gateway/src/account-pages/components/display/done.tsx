import { type ComponentChildren } from 'preact';

/** What a form has just changed. Gets the focus, so that it is read out and the keyboard goes on from there. */
export function Done({ children }: { readonly children: ComponentChildren }) {
  return (
    <p class="notice notice-done" role="status" tabIndex={-1} autofocus>
      {children}
    </p>
  );
}
