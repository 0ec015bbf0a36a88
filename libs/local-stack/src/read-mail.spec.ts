import { readMail } from './read-mail.js';

const lines = (...all: string[]): string => all.join('\r\n');

it('reads the parts of a mail as their reader sees them', () => {
  const raw = lines(
    'From: a@b.example',
    'Subject: =?UTF-8?Q?Gr=C3=BC=C3=9Fe?=',
    'Content-Type: multipart/alternative;',
    ' boundary="--_x"',
    '',
    '----_x',
    'Content-Type: text/plain; charset=utf-8',
    'Content-Transfer-Encoding: quoted-printable',
    '',
    'Zo=C3=AB, a=3D1 and a long =',
    'line',
    '----_x',
    'Content-Type: text/html; charset=utf-8',
    'Content-Transfer-Encoding: base64',
    '',
    Buffer.from('<p>Zoë</p>').toString('base64'),
    '----_x--',
    '',
  );
  expect(readMail(raw)).toMatchObject({
    subject: 'Grüße',
    text: 'Zoë, a=1 and a long line\n',
    html: '<p>Zoë</p>',
    headers: { from: 'a@b.example' },
  });
});

it('reads a mail of one part', () => {
  const raw = lines('Subject: Hello', 'Content-Type: text/plain; charset=utf-8', '', 'One', '', 'Two', '');
  expect(readMail(raw)).toMatchObject({ subject: 'Hello', text: 'One\n\nTwo\n', html: '' });
});
