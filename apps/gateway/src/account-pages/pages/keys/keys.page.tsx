import { Button } from '../../components/controls/button.js';
import { Field } from '../../components/controls/field.js';
import { Form } from '../../components/controls/form.js';
import { Card } from '../../components/display/card.js';
import { Done } from '../../components/display/done.js';
import { Empty } from '../../components/display/empty.js';
import { PageTitle } from '../../components/display/page-title.js';
import { pagePaths } from '../../paths/page-paths.js';
import { type PageView } from '../../view/page.js';
import { KeyItem } from './key-item.js';
import { keyNameLengthMax, keysMax } from './key-limits.js';
import { type KeyWithUsage } from './key-usage.js';

export interface KeysProps {
  readonly keys: readonly KeyWithUsage[];
  /** Of the form to create one: the same form sent twice creates one key. */
  readonly idempotencyKey: string;
  readonly done?: string;
  /** What is wrong with the name of a new key. */
  readonly problem?: string;
  readonly typedName?: string;
  readonly status?: number;
}

/** The keys of the account, and a form for one more. */
export function keysPage(props: KeysProps): PageView {
  const { keys, done, status } = props;
  return {
    title: 'API keys',
    section: 'keys',
    ...(status === undefined ? {} : { status }),
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
          <ul class="keys">
            {keys.map((item) => (
              <KeyItem key={item.key.id} item={item} />
            ))}
          </ul>
        )}
      </>
    ),
  };
}

function NewKey({ keys, idempotencyKey, problem, typedName }: KeysProps) {
  if (keys.length >= keysMax) {
    return (
      <p class="hint">
        An account has {keysMax} keys at most. Delete one that you do not need to create another.
      </p>
    );
  }
  return (
    <Card title="New key">
      <Form action={pagePaths.keys} class="line-form" hidden={{ idempotency_key: idempotencyKey }}>
        <Field
          id="new-key-name"
          name="name"
          label="Name"
          hint="The program or the person that will use it"
          problem={problem}
          input={{ required: true, maxLength: keyNameLengthMax, autocomplete: 'off', value: typedName }}
        />
        <Button kind="primary">Create key</Button>
      </Form>
    </Card>
  );
}
