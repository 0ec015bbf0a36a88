import { type ComponentChildren } from 'preact';
import { type PageView } from '../../view/page.js';
import { type Theme } from '../../view/theme.js';

interface DocumentProps {
  readonly page: Pick<PageView, 'title' | 'isPublic' | 'next'>;
  readonly theme: Theme;
  /** Addresses. */
  readonly files: { readonly style: string; readonly script: string; readonly icon: string };
  readonly children: ComponentChildren;
}

/** The HTML document around a page. */
export function Document({ page, theme, files, children }: DocumentProps) {
  return (
    <html lang="en" data-theme={theme}>
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="color-scheme" content={theme === 'system' ? 'light dark' : theme} />
        {page.next && (
          <meta http-equiv="refresh" content={`${page.next.afterSeconds};url=${page.next.path}`} />
        )}
        {!page.isPublic && <meta name="robots" content="noindex" />}
        <title>{`${page.title} - Creator Search`}</title>
        <link rel="icon" href={files.icon} type="image/svg+xml" />
        <link rel="stylesheet" href={files.style} />
        <script defer src={files.script}></script>
      </head>
      <body>{children}</body>
    </html>
  );
}
