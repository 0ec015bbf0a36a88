import { type ComponentChildren } from 'preact';
import { type Theme } from '../../view/theme.js';
import { Brand } from './brand.js';
import { Foot } from './foot.js';

interface VisitorLayoutProps {
  readonly theme: Theme;
  readonly children: ComponentChildren;
}

/** A page for visitors who are not signed in. */
export function VisitorLayout({ theme, children }: VisitorLayoutProps) {
  return (
    <div class="visitor">
      <header>
        <Brand />
      </header>
      <main id="content">{children}</main>
      <Foot theme={theme} />
    </div>
  );
}
