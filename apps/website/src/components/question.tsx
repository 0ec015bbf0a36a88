import { type ComponentChildren } from 'preact';
import { type PageView, type Section } from '../view/page.js';
import { Button, LinkButton } from './controls.js';
import { Panel } from './display.js';
import { Form } from './form.js';

/** A confirmation: a dialog if scripts run, otherwise a page. */
export interface Question {
  readonly id: string;
  readonly title: string;
  readonly section: Section;
  /** The path of its page, and of its form. */
  readonly path: string;
  /** The page that "Cancel" leads to. */
  readonly back: string;
  readonly body: ComponentChildren;
  /** The button that does it. */
  readonly verb: string;
  readonly isDangerous?: boolean;
  /** Hidden fields. */
  readonly hidden?: Readonly<Record<string, string>>;
}

interface AskProps {
  readonly question: Question;
  /** Of the button, for screen readers. */
  readonly label: string;
  readonly children: ComponentChildren;
}

/** The button that leads to a question. */
export function Ask({ question, label, children }: AskProps) {
  const { id, title, path, isDangerous } = question;
  return (
    <>
      <LinkButton kind={isDangerous ? 'danger-outline' : 'plain'} href={path} opens={id} label={label}>
        {children}
      </LinkButton>
      <dialog id={id} class="dialog" aria-labelledby={`${id}-title`}>
        <h2 id={`${id}-title`}>{title}</h2>
        <QuestionForm question={question} />
      </dialog>
    </>
  );
}

/** The page of a question: for browsers without scripts, and after a mistake. */
export function questionPage(question: Question): PageView {
  const { title, section } = question;
  const body = (
    <Panel title={title}>
      <QuestionForm question={question} />
    </Panel>
  );
  return { title, section, body };
}

function QuestionForm({ question }: Pick<AskProps, 'question'>) {
  const { path, hidden, body, verb, isDangerous, back } = question;
  return (
    <Form action={path} hidden={hidden}>
      {body}
      <div class="buttons">
        <Button kind={isDangerous ? 'danger' : 'primary'}>{verb}</Button>
        <LinkButton href={back}>Cancel</LinkButton>
      </div>
    </Form>
  );
}
