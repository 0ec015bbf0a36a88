import { spawnSync } from 'node:child_process';

const databases = {
  CATALOG_DATABASE_URL: 'postgres://catalog_owner@127.0.0.1:1/catalog',
  BILLING_DATABASE_URL: 'postgres://billing_owner@127.0.0.1:1/billing',
};

function migrate(action: string, environment: Record<string, string>) {
  return spawnSync(process.execPath, ['tools/task.mjs', 'migrate', action], {
    env: { ...process.env, ...environment },
    encoding: 'utf8',
  });
}

describe('npm run migration:run', () => {
  it('refuses one RUNTIME_ROLE for both databases, before it touches any', () => {
    const { status, stderr } = migrate('run', { ...databases, RUNTIME_ROLE: 'catalog' });
    expect(status).toBe(1);
    expect(stderr).toContain('RUNTIME_ROLE is the role of one service');
    expect(stderr).not.toContain('ECONNREFUSED');
  });
});
