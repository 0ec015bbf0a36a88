import { readFileSync } from 'node:fs';
import { subscribedEvents } from '@app/checkout';
import { stepNames } from '../cli/payments/check-options.js';
import { tableBelow } from './markdown.js';

const page = readFileSync('docs/selling.md', 'utf8');

function below(heading: string): string {
  const [, text = ''] = page.split(`\n## ${heading}\n`);
  return text.split(/\n##+ /)[0] ?? '';
}

it('the events that an endpoint is to be subscribed to are those that billing acts on', () => {
  const named = below('What to set in the Dashboard').matchAll(
    /`((?:checkout|charge|radar|refund)\.[\w.]+)`/g,
  );
  expect([...named].map(([, event]) => event).sort()).toEqual([...subscribedEvents].sort());
});

it('each right of the key is a row of its own, with what happens without it', () => {
  const rights = tableBelow(page, 'What the key needs').map(([right, access]) => `${right}: ${access}`);
  expect(rights).toEqual([
    'Checkout Sessions: _Write_',
    'PaymentIntents: _Read_',
    'Charges: _Read_',
    'Charges: _Write_',
    'Disputes: _Read_',
    'Events: _Read_',
  ]);
});

it('the steps of the check are named', () => {
  const [line = ''] = /^- `--only STEP`.*$/m.exec(below('Trying it with a test key')) ?? [];
  expect([...line.matchAll(/`(\w+)`/g)].map(([, step]) => step)).toEqual(stepNames);
});
