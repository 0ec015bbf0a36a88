import { Notice } from '../components/display/notice.js';
import { type PageView } from '../view/page.js';

/** Whether the form that was not accepted is no longer on its page, as that of a webhook which was removed meanwhile. */
export function isWithoutForm({ refusal }: PageView, html: string): boolean {
  return refusal !== undefined && !html.includes(` action="${refusal.form.action}"`);
}

/** The same page with the problem at its top. */
export function withProblemOnTop(page: PageView): PageView {
  const problems = Object.values(page.refusal?.problems ?? {}).join(' ');
  return {
    ...page,
    body: (
      <>
        <Notice kind="problem">{problems}</Notice>
        {page.body}
      </>
    ),
  };
}
