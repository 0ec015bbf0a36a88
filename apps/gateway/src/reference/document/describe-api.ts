import { type HeaderObject, type OpenAPIObject, type PathItemObject } from 'openapi3-ts/oas31';
import { describeOperation } from './describe-operation.js';
import { errorSchemas } from './error-schemas.js';
import { errorAnswers } from './errors.js';
import { type Examples } from './examples.js';
import { headers } from '../../openapi/headers.js';
import { introduction } from './introduction.js';
import { tags } from '../../openapi/operation.js';
import { publicOperations } from './public-operations.js';

export const basePath = '/api/public/v1';

/** The OpenAPI 3.1 document of the public API, with answers of a real stack as its examples. */
export function describeApi(examples: Examples): OpenAPIObject {
  return {
    openapi: '3.1.0',
    info: {
      title: 'Creator Search API',
      version: '1.0.0',
      description: introduction,
    },
    // Relative to where the document came from, and so right behind every proxy.
    servers: [{ url: '/', description: 'The host that this document came from' }],
    security: [{ apiKey: [] }],
    tags: Object.entries(tags).map(([name, description]) => ({ name, description })),
    paths: describePaths(examples),
    components: {
      securitySchemes: {
        apiKey: {
          type: 'http',
          scheme: 'bearer',
          bearerFormat: 'csk_...',
          description: 'Your private API key. It belongs on your server, never in a web page or an app.',
        },
      },
      schemas: { ...ownSchemas(), ...errorSchemas },
      responses: errorAnswers(examples),
      headers: describeHeaders(examples),
    },
  };
}

function describePaths(examples: Examples): Record<string, PathItemObject> {
  const paths: Record<string, PathItemObject> = {};
  for (const operation of publicOperations) {
    const path = basePath + operation.path;
    paths[path] = { ...paths[path], [operation.method]: describeOperation(operation, examples) };
  }
  return paths;
}

function ownSchemas() {
  return Object.fromEntries(publicOperations.flatMap(({ schemas }) => Object.entries(schemas)));
}

function describeHeaders(examples: Examples): Record<string, HeaderObject> {
  const described = Object.entries<HeaderObject>(headers);
  return Object.fromEntries(
    described.map(([name, header]) => [name, { ...header, example: examples.headers[name] }]),
  );
}
