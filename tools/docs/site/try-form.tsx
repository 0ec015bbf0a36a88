import { type InputHTMLAttributes } from 'preact';
import { type Operation, type Parameter } from './openapi-file.js';

interface TryFormProps {
  readonly operation: Operation;
  /** Where keys are created. */
  readonly keysUrl: string;
}

/** Makes the call; shown only where scripts run (apps/gateway/browser/docs.js). */
export function TryForm({ operation: { operationId, path, parameters = [] }, keysUrl }: TryFormProps) {
  return (
    <details class="try" hidden>
      <summary>Try it</summary>
      <form class="stack" data-path={path} autocomplete="off" aria-label={`Try ${operationId}`}>
        <p class="hint">
          A real call, at its price. The key stays in the memory of this page and is gone when you leave it.{' '}
          <a href={keysUrl}>Create a key</a>
        </p>
        <Field id={`${operationId}-key`} label="API key" type="password" place="key" name="key" />
        {parameters.map((parameter) => (
          <ParameterField
            key={parameter.name}
            id={`${operationId}-${parameter.name}`}
            parameter={parameter}
          />
        ))}
        <button class="button primary">Send</button>
      </form>
      <div role="status" class="result"></div>
    </details>
  );
}

function ParameterField({ id, parameter }: { readonly id: string; readonly parameter: Parameter }) {
  const { name, in: place, required, schema, example } = parameter;
  if (!schema.enum) return <Field {...{ id, name, place, required, example }} label={name} type="text" />;
  return (
    <div class="field">
      <label for={id}>{name}</label>
      <select id={id} name={name} data-place={place}>
        <option value=""></option>
        {schema.enum.map((value) => (
          <option key={value}>{value}</option>
        ))}
      </select>
    </div>
  );
}

interface FieldProps {
  readonly id: string;
  readonly label: string;
  readonly name: string;
  readonly type: 'text' | 'password';
  readonly place: Parameter['in'] | 'key';
  readonly required?: boolean | undefined;
  readonly example?: string | undefined;
}

function Field({ id, label, name, type, place, required, example }: FieldProps) {
  const attributes = { id, name, type, required, value: example } as InputHTMLAttributes;
  return (
    <div class="field">
      <label for={id}>{label}</label>
      <input {...attributes} data-place={place} autocomplete="off" spellcheck={false} />
    </div>
  );
}
