/** Of swagger-ui-bundle.js. */
declare function SwaggerUIBundle(options: object): unknown;
