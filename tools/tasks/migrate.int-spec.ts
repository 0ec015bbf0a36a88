import { spawnSync } from 'node:child_process';

it('npm run migration:run refuses one RUNTIME_ROLE for both databases, before it touches any', () => {
  const databases = {
    CATALOG_DATABASE_URL: 'postgres://catalog_owner@127.0.0.1:1/catalog',
    BILLING_DATABASE_URL: 'postgres://billing_owner@127.0.0.1:1/billing',
  };
  const env = { ...process.env, ...databases, RUNTIME_ROLE: 'catalog' };
  const { status, stderr } = spawnSync(process.execPath, ['tools/task.mjs', 'migrate'], {
    env,
    encoding: 'utf8',
  });
  expect(status).toBe(1);
  expect(stderr).toContain('RUNTIME_ROLE is the role of one service');
  expect(stderr).not.toContain('ECONNREFUSED');
});
