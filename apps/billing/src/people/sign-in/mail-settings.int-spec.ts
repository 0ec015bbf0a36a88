import { describeSignIn, requestSignIn } from '@app/contracts';
import { until } from '@app/testing';
import { v7 as uuidv7 } from 'uuid';
import { context, runBilling } from '../../running-billing.fixture.js';
import { newHash, pagesUrl, sender } from '../browser.fixture.js';
import { recordedLog } from '../people.fixture.js';

const request = () => ({
  ...sender,
  email: 'a@acme.example',
  sign_in_id: uuidv7(),
  browser_hash: newHash(),
  pages_url: pagesUrl,
});

it.each([
  ['by default', {}, false],
  ['with an identity provider', { SIGN_UP: 'open' }, true],
])('without a mail server, %s, no sign-in by mail is offered', async (_name, environment, sign_up_open) => {
  const billing = await runBilling(environment);
  try {
    const methods = await billing.client.request(describeSignIn, {}, context);
    expect(methods).toEqual({ by_mail: false, sign_up_open });
    await expect(billing.client.request(requestSignIn, request(), context)).rejects.toMatchObject({
      code: 'unavailable',
      message: 'Sign-in by email is not available here. Ask the operator of this service for a link.',
    });
  } finally {
    await billing.close();
  }
});

it('with log: a mail is one line of the log, with its link and code', async () => {
  const { log, lines } = recordedLog('info');
  const billing = await runBilling({ MAIL_URL: 'log:', SIGN_UP: 'open' }, log);
  try {
    await billing.client.request(requestSignIn, request(), context);
    const find = () => lines.find((line) => line.includes('"msg":"mail"'));
    await until(() => find() !== undefined);
    const { to, text } = JSON.parse(find() ?? '') as { to: string; text: string };
    expect(to).toBe('a@acme.example');
    expect(text).toMatch(/https:\/\/api\.example\/account\/sign-in\/link\?token=[\w-]{43}\n/);
    expect(text).toMatch(/\b\d{3} \d{3}\b/);
  } finally {
    await billing.close();
  }
});
