import { describeSignIn, requestSignIn } from '@app/contracts';
import { v7 as uuidv7 } from 'uuid';
import { context, runBilling } from '../../running-billing.fixture.js';
import { newHash } from './signing-in.fixture.js';

it.each([
  ['without a mail server', {}, false, false],
  ['with one', { MAIL_URL: 'log:' }, true, true],
  ['with one, by invitation only', { MAIL_URL: 'log:', SIGN_UP: 'invite' }, true, false],
  ['without one, with an identity provider', { SIGN_UP: 'open' }, false, true],
])('%s, signing in is described as it is', async (_name, environment, byMail, isOpen) => {
  const billing = await runBilling(environment);
  try {
    expect(await billing.client.request(describeSignIn, {}, context)).toEqual({
      by_mail: byMail,
      sign_up_open: isOpen,
    });
    const asked = billing.client.request(
      requestSignIn,
      {
        network: '203.0.113.7',
        user_agent: 'Firefox',
        sign_in_id: uuidv7(),
        browser_hash: newHash(),
        pages_url: 'http://127.0.0.1/account',
        email: 'a@acme.example',
      },
      context,
    );
    const outcome = byMail ? { status: 'fulfilled' } : { reason: { code: 'unavailable' } };
    expect((await Promise.allSettled([asked]))[0]).toMatchObject(outcome);
  } finally {
    await billing.close();
  }
});
