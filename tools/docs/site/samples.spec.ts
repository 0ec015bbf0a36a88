import { runInNewContext } from 'node:vm';
import { CreatorSearch } from '../../../libs/client/src/index.js';
import { operationsOf, readOpenApi } from './openapi-file.js';
import { placeholders } from './placeholders.js';
import { samplesOf } from './samples.js';

it.each(operationsOf(readOpenApi()).map((operation) => [operation.operationId, operation] as const))(
  '%s is called the same with the client as with Python',
  async (_name, operation) => {
    const samples = samplesOf(operation);
    const [, url = ''] = /Request\(\n {4}"(.*)"/.exec(samples) ?? [];
    const [, call = ''] = /const answer = await (client[^]*?);\nconsole/.exec(samples) ?? [];
    const sent: string[] = [];
    const client = new CreatorSearch({
      baseUrl: 'https://api.example',
      apiKey: 'csk_a',
      retries: 0,
      fetch: (url) => {
        sent.push(String(url));
        return Promise.reject(new TypeError('no network'));
      },
    });
    await expect(runInNewContext(call, { client })).rejects.toThrow();
    expect(sent).toEqual([url.replace(placeholders.api, 'https://api.example')]);
  },
);
