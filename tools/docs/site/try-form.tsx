import { type InputHTMLAttributes } from 'preact';
import { type RequestBodyObject, type SchemaObject } from 'openapi3-ts/oas31';
import { type Operation } from './openapi-file.js';

interface TryFormProps {
  readonly operation: Operation;
  /** Where keys are created. */
  readonly keysUrl: string;
}

/** Makes the call; shown only where scripts run (apps/gateway/browser/docs.js). */
export function TryForm({ operation, keysUrl }: TryFormProps) {
  const { operationId, method, path, parameters = [] } = operation;
  const body: unknown = (operation.requestBody as RequestBodyObject | undefined)?.content['application/json']
    ?.example;
  return (
    <details class="try" hidden>
      <summary>Try it</summary>
      <form
        class="stack"
        data-method={method.toUpperCase()}
        data-path={path}
        autocomplete="off"
        aria-label={`Try ${operationId}`}
      >
        <p class="hint">
          A real call, at its price. The key stays in the memory of this page and is gone when you leave it.{' '}
          <a href={keysUrl}>Create a key</a>
        </p>
        <Field id={`${operationId}-key`} name="API key" place="key" type="password" />
        {parameters.map(({ name, in: place, required, schema, example }) => (
          <Field
            key={name}
            {...{ id: `${operationId}-${name}`, name, place, required, value: example as string | undefined }}
            choices={(schema as SchemaObject).enum as string[] | undefined}
          />
        ))}
        {body !== undefined && <BodyField id={`${operationId}-body`} example={body} />}
        <button class="button primary">Send</button>
      </form>
      <div role="status" class="result"></div>
    </details>
  );
}

interface FieldProps {
  readonly id: string;
  readonly name: string;
  /** Where its value goes: `key`, or as in OpenAPI. */
  readonly place: string;
  readonly type?: 'password';
  readonly required?: boolean | undefined;
  readonly value?: string | undefined;
  /** All values that there are. */
  readonly choices?: readonly string[] | undefined;
}

function Field({ place, choices, ...input }: FieldProps) {
  const { id, name } = input;
  return (
    <div class="field">
      <label for={id}>{name}</label>
      {choices ? (
        <select id={id} name={name} data-place={place}>
          {['', ...choices].map((value) => (
            <option key={value}>{value}</option>
          ))}
        </select>
      ) : (
        <input {...(input as InputHTMLAttributes)} data-place={place} autocomplete="off" spellcheck={false} />
      )}
    </div>
  );
}

function BodyField({ id, example }: { readonly id: string; readonly example: unknown }) {
  const text = JSON.stringify(example, null, 2);
  return (
    <div class="field body">
      <label for={id}>Body (JSON)</label>
      <textarea id={id} name="body" rows={text.split('\n').length} spellcheck={false}>
        {text}
      </textarea>
    </div>
  );
}
