import { projectRoot } from '#platform';
import { Injectable } from '@nestjs/common';
import { contentTypes, HashedFiles, readPrepared } from '../answers/prepared-file.js';

const ours = new URL('apps/gateway/browser/', projectRoot);
const swaggerUi = new URL('node_modules/swagger-ui-dist/', projectRoot);

/** What `swagger-ui-bundle.js` refers to for its licences. */
const licencesName = 'swagger-ui-bundle.js.LICENSE.txt';

/** The files of the reference page. */
@Injectable()
export class ReferenceFiles extends HashedFiles {
  constructor() {
    const { script, style, text } = contentTypes;
    super({
      'swagger-ui-bundle.js': readPrepared(script, swaggerUi, 'swagger-ui-bundle.js'),
      'swagger-ui.css': readPrepared(style, swaggerUi, 'swagger-ui.css'),
      'reference.js': readPrepared(script, ours, 'reference.js'),
      'reference.css': readPrepared(style, ours, 'reference.css', 'reference-narrow.css'),
      [licencesName]: readPrepared(text, swaggerUi, 'NOTICE', 'LICENSE', licencesName),
    });
  }
}
