import { Marked, type Token, type Tokens } from 'marked';
import { renderToString } from 'preact-render-to-string';
import { Anchors, anchorOf } from './anchors.js';

export interface Heading {
  readonly id: string;
  readonly html: string;
}

/** A page, or the part of one below a heading of the second level. */
export interface Section {
  readonly heading: Heading | undefined;
  readonly html: string;
  /** Code that is shown next to the text; else empty. */
  readonly aside: string;
}

const languages: Readonly<Record<string, string>> = {
  sh: 'curl',
  ts: 'TypeScript',
  python: 'Python',
  json: 'JSON',
};

/** Renders Markdown by its sections. `codeAside`: the code of a section is kept apart, to be shown next to its text. */
export function renderSections(markdown: string, codeAside = false): Section[] {
  const marked = new Marked();
  const anchors = new Anchors();
  let part = '';
  marked.use({
    renderer: {
      heading({ depth, text, tokens }: Tokens.Heading) {
        const name = anchorOf(text);
        const id = codeAside && depth === 3 ? `${part}-${name}` : anchors.next(text);
        if (depth === 2) part = id;
        return `<h${depth} id="${id}"><a href="#${id}">${this.parser.parseInline(tokens)}</a></h${depth}>\n`;
      },
      table(token: Tokens.Table) {
        const label = token.header.map(({ text }) => text).join(', ');
        const html = { __html: new Marked().parser([token]) };
        const scrolling = {
          class: 'table-scroll',
          tabIndex: 0,
          role: 'group',
          'aria-label': label,
        } as const;
        return renderToString(<div {...scrolling} dangerouslySetInnerHTML={html} />);
      },
    },
  });
  return sectionsOf(marked.lexer(markdown)).map((tokens, index) => {
    const [first] = tokens;
    const isCode = (token: Token): boolean => token.type === 'code';
    const text = codeAside ? tokens.filter((token) => !isCode(token)) : tokens;
    const html = runsOf(text)
      .map((run) =>
        run.length > 1 ? languageTabs(run) : run.map((token) => renderOne(marked, token)).join(''),
      )
      .join('');
    const heading =
      index > 0 && first?.type === 'heading'
        ? { id: part, html: marked.parseInline(first.text as string) as string }
        : undefined;
    const aside = codeAside ? asideOf(tokens.filter(isCode) as Tokens.Code[]) : '';
    return { heading, html, aside };
  });
}

function renderOne(marked: Marked, token: Token): string {
  return token.type === 'code'
    ? renderToString(<Code {...(token as Tokens.Code)} />)
    : marked.parser([token]);
}

function sectionsOf(tokens: readonly Token[]): Token[][] {
  const sections: Token[][] = [[]];
  for (const token of tokens) {
    if (token.type === 'heading' && token.depth === 2) sections.push([]);
    sections.at(-1)?.push(token);
  }
  return sections;
}

/** Blocks of code in several languages that follow each other are one run; everything else is a run of its own. */
function runsOf(tokens: readonly Token[]): Token[][] {
  const runs: Token[][] = [];
  for (const token of tokens.filter(({ type }) => type !== 'space')) {
    const run = runs.at(-1);
    const last = run?.at(-1);
    const continues = last?.type === 'code' && token.type === 'code' && last.lang !== token.lang;
    if (continues) run?.push(token);
    else runs.push([token]);
  }
  return runs;
}

/** Samples in tabs, then the answers: the first one open. */
function asideOf(codes: readonly Tokens.Code[]): string {
  const samples = codes.filter(({ lang = '' }) => !lang.includes(' '));
  const answers = codes.filter(({ lang = '' }) => lang.includes(' '));
  return (
    (samples.length > 0 ? languageTabs(samples) : '') +
    answers
      .map(({ lang = '', text }, index) =>
        renderToString(
          <details class="example" open={index === 0}>
            <summary>{lang.slice(lang.indexOf(' ') + 1)}</summary>
            <Code lang="json" text={text} />
          </details>,
        ),
      )
      .join('')
  );
}

let groups = 0;

/** Shows code in several languages; works without a script. */
function languageTabs(codes: readonly Token[]): string {
  groups += 1;
  const blocks = codes as readonly Tokens.Code[];
  const group = `sample-${groups}`;
  return renderToString(
    <fieldset class="languages">
      <legend class="unseen">Language</legend>
      {blocks.map(({ lang = '' }, index) => [
        <input
          key={lang}
          type="radio"
          name={group}
          id={`${group}-${lang}`}
          value={lang}
          checked={index === 0}
        />,
        <label key={`${lang} label`} for={`${group}-${lang}`}>
          {languages[lang] ?? lang}
        </label>,
      ])}
      <div class="panels">
        {blocks.map((block) => (
          <Code key={block.lang} {...block} />
        ))}
      </div>
    </fieldset>,
  );
}

function Code({ lang = '', text }: { readonly lang?: string | undefined; readonly text: string }) {
  return (
    <div class="code">
      <pre tabIndex={0} role="group" aria-label={`Code, ${languages[lang] ?? lang}`}>
        <code>{text}</code>
      </pre>
    </div>
  );
}
