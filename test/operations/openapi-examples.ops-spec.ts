import { writtenExamples } from '../../tools/docs/openapi.js';
import { collectExamples } from '../../tools/docs/openapi-examples.js';

it('the examples in the OpenAPI document are what the service answers; `npm run docs` writes them', async () => {
  expect(writtenExamples()).toEqual(await collectExamples());
}, 90_000);
