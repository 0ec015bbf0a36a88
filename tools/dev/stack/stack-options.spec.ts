import { inheritedEnvironment } from './stack-options.js';

describe('what the services of a local stack inherit from the shell', () => {
  it('is nothing that contradicts the stack or leads to other servers', () => {
    const shell = {
      ADMIN_TOKEN: 'mine',
      ADMIN_TOKEN_FILE: '/secret',
      PGHOST: 'elsewhere',
      TLS_CERT_FILE: '/cert',
    };
    expect(inheritedEnvironment(shell, { ADMIN_TOKEN: 'its own' })).toEqual({ ADMIN_TOKEN: 'its own' });
  });
});
