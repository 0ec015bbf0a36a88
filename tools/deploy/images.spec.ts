import { readFileSync } from 'node:fs';
import { serviceNames, serviceNodeOptions } from '@app/testing';

const dockerfile = readFileSync('Dockerfile', 'utf8');

describe('the images', () => {
  it.each(serviceNames)('start %s as the tests and benchmarks do', (service) => {
    const command = ['node', ...serviceNodeOptions[service], `dist/apps/${service}/src/main.js`];
    const stage = dockerfile.split(/^FROM /m).find((text) => text.startsWith(`service AS ${service}\n`));
    const given = /^CMD (\[.*\])$/m.exec(stage ?? '')?.[1];
    expect(JSON.parse(given ?? '[]')).toEqual(command);
  });
});
