import { Button } from '../../components/controls/button.js';
import { Field } from '../../components/controls/field.js';
import { Form } from '../../components/controls/form.js';
import { Card } from '../../components/display/card.js';
import { Done } from '../../components/display/done.js';
import { Empty } from '../../components/display/empty.js';
import { PageTitle } from '../../components/display/page-title.js';
import { pagePaths } from '../../paths/page-paths.js';
import { type PageView } from '../../view/page.js';
import { keyNameLengthMax, keysMax } from './key-limits.js';
import { keyColumns, KeyRow } from './key-row.js';
import { type KeyWithUsage } from './key-usage.js';

export interface KeysProps {
  readonly keys: readonly KeyWithUsage[];
  /** Of the form to create one: the same form sent twice creates one key. */
  readonly formId: string;
  readonly done?: string;
}

/** The keys of the account, and a form for one more. */
export function keysPage(props: KeysProps): PageView {
  const { keys, done } = props;
  return {
    title: 'API keys',
    section: 'keys',
    body: (
      <>
        <PageTitle title="API keys" answer={`${keys.length} of ${keysMax} keys`} />
        {done && <Done>{done}</Done>}
        <NewKey {...props} />
        {keys.length === 0 ? (
          <Empty>
            No keys yet. A key names one program that calls the API: give each tool or teammate a key of its
            own, so that you see who uses what and can switch one off alone.
          </Empty>
        ) : (
          <KeyTable keys={keys} />
        )}
      </>
    ),
  };
}

/** On a phone each row is a card of its own. */
function KeyTable({ keys }: Pick<KeysProps, 'keys'>) {
  return (
    <section class="card">
      <table class="keys">
        <caption class="unseen">Keys</caption>
        <thead>
          <tr>
            {keyColumns.map((title) => (
              <th key={title} scope="col">
                {title}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {keys.map((item) => (
            <KeyRow key={item.key.id} item={item} />
          ))}
        </tbody>
      </table>
    </section>
  );
}

function NewKey({ keys, formId }: KeysProps) {
  if (keys.length >= keysMax) {
    return (
      <p class="hint">
        An account can have {keysMax} keys. Delete one that you no longer need to create another.
      </p>
    );
  }
  return (
    <Card title="New key">
      <Form action={pagePaths.keys} class="line-form" hidden={{ form_id: formId }}>
        <Field
          id="new-key-name"
          name="name"
          label="Name"
          hint="The program or the person that will use it"
          input={{ required: true, maxLength: keyNameLengthMax, autocomplete: 'off' }}
        />
        <Button kind="primary">Create key</Button>
      </Form>
    </Card>
  );
}
