import { type ComponentChildren } from 'preact';

/** A page for somebody who is not signed in. */
export function VisitorLayout({ children }: { readonly children: ComponentChildren }) {
  return (
    <div class="visitor">
      <header>
        <p class="brand">Creator Search</p>
      </header>
      <main id="content">{children}</main>
      <footer class="foot">
        <a href="/docs">API reference</a>
      </footer>
    </div>
  );
}
