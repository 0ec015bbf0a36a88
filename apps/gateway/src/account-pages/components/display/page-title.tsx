import { type ComponentChildren } from 'preact';

interface PageTitleProps {
  readonly title: string;
  /** The answer to what people come for, in one line with a number. */
  readonly answer: ComponentChildren;
  readonly action?: ComponentChildren;
}

/** What every page of members begins with. */
export function PageTitle({ title, answer, action }: PageTitleProps) {
  return (
    <header class="page-title">
      <div>
        <h1>{title}</h1>
        <p class="answer">{answer}</p>
      </div>
      {action && <div class="page-action">{action}</div>}
    </header>
  );
}
