import { readFileSync } from 'node:fs';
import { Controller, Get, Res } from '@nestjs/common';
import { type FastifyReply } from 'fastify';
import { Prepared, PreparedAnswers } from '../prepared/prepared-answers.js';
import { PreparedFile } from '../prepared/prepared-file.js';

/** Written from the declarations by `npm run docs`; `nest build` has copied it (nest-cli.json). */
const file = new URL('../../../../docs/openapi.json', import.meta.url);

/** It changes with the version of the gateway: programs that read it need not ask more often. */
const cacheControl = 'public, max-age=300';

/** `GET /openapi.json` at the root, without a key: the OpenAPI document of the public API. */
@Controller('openapi.json')
export class OpenapiController {
  private readonly document = new PreparedFile(
    'application/json; charset=utf-8',
    Buffer.from(JSON.stringify(JSON.parse(readFileSync(file, 'utf8')))),
  );

  constructor(private readonly answers: PreparedAnswers) {}

  @Get()
  @Prepared()
  show(@Res() reply: FastifyReply): Promise<void> {
    return this.answers.send(reply, this.document, cacheControl);
  }
}
