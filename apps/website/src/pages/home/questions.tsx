import { type ComponentChildren } from 'preact';
import { usePage } from '../../view/page.js';
import { lifetimeDays } from '../buy/packs.js';

/** Questions of buyers before they sign up. */
export function Questions() {
  return (
    <section class="chapter">
      <h2>Questions</h2>
      <dl class="columns">
        {Object.entries(useAnswers()).map(([question, answer]) => (
          <div key={question}>
            <dt>{question}</dt>
            <dd>{answer}</dd>
          </div>
        ))}
      </dl>
    </section>
  );
}

function useAnswers(): Readonly<Record<string, ComponentChildren>> {
  const { PRIVACY_URL, SUPPORT_EMAIL, TERMS_URL } = usePage().site;
  return {
    'Where does the data come from?': (
      <>
        From public profiles of creators. Each follower count has the date on which it was read. Creators can
        ask to be corrected or removed. {PRIVACY_URL && <a href={PRIVACY_URL}>Privacy notice</a>}
      </>
    ),
    'Can I try it first?': (
      <>
        Yes. Test keys (<code>csk_test_</code>) are free: they return fictional creators with the same fields,
        limits and errors. No card needed.
      </>
    ),
    'What happens when credits expire?': `Unused credits expire ${lifetimeDays} days after you buy them. You can be notified three days before.`,
    'Can I get a refund?': (
      <>
        Credits for a failed call are returned automatically. For a payment,{' '}
        {SUPPORT_EMAIL ? <a href={`mailto:${SUPPORT_EMAIL}`}>write to us</a> : 'contact the operator'}: when a
        payment is refunded, its credits are taken back. {TERMS_URL && <a href={TERMS_URL}>Terms</a>}
      </>
    ),
    'Can I search without writing code?':
      'No, this is an API. An assistant that supports MCP can search for you with your key.',
  };
}
