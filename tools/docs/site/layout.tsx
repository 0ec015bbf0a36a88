import { accountPagesPath, accountPaths } from '#contracts';
import { renderToString } from 'preact-render-to-string';
import { type Section } from './markdown.js';
import { type Operation } from './openapi-file.js';
import { type Page, type PageGroup, pathOf } from './pages.js';
import { placeholders } from './placeholders.js';
import { TryForm } from './try-form.js';

interface DocumentProps {
  readonly page: Page;
  readonly groups: readonly PageGroup[];
  /** The sections of each page, by its name. */
  readonly sections: Readonly<Record<string, readonly Section[]>>;
  /** Operations by the anchor of their heading. */
  readonly operations: ReadonlyMap<string, Operation>;
}

/** The whole HTML of a page. */
export function renderDocument(props: DocumentProps): string {
  return `<!doctype html>\n${renderToString(<Document {...props} />)}\n`;
}

function Document({ page, groups, sections, operations }: DocumentProps) {
  const isReference = page.name === 'reference';
  const isListed = groups.some(({ pages }) => pages.includes(page));
  return (
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="color-scheme" content="light dark" />
        <title>{`${titleOf(page)} - ${placeholders.product}`}</title>
        <link rel="icon" href={placeholders.file('icon.svg')} type="image/svg+xml" />
        <link rel="stylesheet" href={placeholders.file('docs.css')} />
        {isListed && <link rel="alternate" type="text/markdown" href={`${pathOf(page)}.md`} />}
        <script defer src={placeholders.file('docs.js')}></script>
      </head>
      <body class={isReference ? 'docs reference' : 'docs'}>
        <a class="skip" href="#content">
          Skip to content
        </a>
        <Header />
        <div class="docs-body">
          <Navigation current={page} groups={groups} sections={sections} />
          <main id="content" tabIndex={-1}>
            {sections[page.name]?.map((section) => (
              <Part
                key={section.heading?.id}
                section={section}
                operation={isReference ? operations.get(section.heading?.id ?? '') : undefined}
              />
            ))}
            {isListed && (
              <p class="hint">
                <a href={`${pathOf(page)}.md`}>This page as Markdown</a>
              </p>
            )}
          </main>
        </div>
        <Footer />
      </body>
    </html>
  );
}

function Header() {
  const { site, product } = placeholders;
  return (
    <header class="top">
      <a class="brand" href="%%HOME%%">
        <img src={placeholders.file('icon.svg')} alt="" width="24" height="24" /> {product}
      </a>
      <nav class="tabs" aria-label="Site">
        <a href="/docs" aria-current="true">
          Docs
        </a>
        <a href={`${site}/#pricing`}>Pricing</a>
        <a href={`${site}${accountPagesPath}/sign-in`}>Sign in</a>
        <a class="button" href={`${site}${accountPagesPath}/sign-up`}>
          Sign up
        </a>
      </nav>
    </header>
  );
}

/** Who runs the service and how to reach them, as far as the settings say. */
function Footer() {
  const { company, terms, privacy, support, status } = placeholders;
  return (
    <footer class="group hint">
      <span>{company}</span>
      <a href={terms}>Terms</a>
      <a href={privacy}>Privacy</a>
      <a href={support}>Support</a>
      <a href={status}>Status</a>
    </footer>
  );
}

/** On a phone it is shown when the link to it was followed: no script is needed. */
function Navigation({
  current,
  groups,
  sections,
}: Omit<DocumentProps, 'page' | 'operations'> & { current: Page }) {
  return (
    <>
      <a class="button menu" href="#pages">
        All pages
      </a>
      <nav class="pages" id="pages" aria-label="Documentation">
        {groups.map(({ title, pages }) => (
          <section key={title}>
            <h2 class="hint">{title}</h2>
            <ul>
              {pages.map((page) => (
                <li key={page.name}>
                  <a href={pathOf(page)} aria-current={page === current ? 'page' : undefined}>
                    {page.title}
                  </a>
                  {(page === current || page.name === 'reference') && (
                    <Headings
                      path={page === current ? '' : pathOf(page)}
                      sections={sections[page.name] ?? []}
                    />
                  )}
                </li>
              ))}
            </ul>
          </section>
        ))}
      </nav>
    </>
  );
}

function Headings({ path, sections }: { readonly path: string; readonly sections: readonly Section[] }) {
  const headings = sections.flatMap(({ heading }) => (heading ? [heading] : []));
  if (headings.length === 0) return null;
  return (
    <ul>
      {headings.map(({ id, html }) => (
        <li key={id}>
          <a href={`${path}#${id}`} dangerouslySetInnerHTML={{ __html: html }} />
        </li>
      ))}
    </ul>
  );
}

interface PartProps {
  readonly section: Section;
  readonly operation: Operation | undefined;
}

function Part({ section: { html, aside }, operation }: PartProps) {
  return (
    <section class="part">
      <div class="prose" dangerouslySetInnerHTML={{ __html: html }} />
      {operation && (
        <div class="aside">
          <div dangerouslySetInnerHTML={{ __html: aside }} />
          <TryForm operation={operation} keysUrl={placeholders.site + accountPaths.keys} />
        </div>
      )}
    </section>
  );
}

/** The first heading of a page. */
export function titleOf({ markdown, title }: Page): string {
  return /^# (.+)$/m.exec(markdown)?.[1] ?? title;
}
