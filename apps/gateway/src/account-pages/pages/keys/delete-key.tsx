import { type KeyView } from '@app/contracts';
import { Button, LinkButton } from '../../components/controls/button.js';
import { Dialog } from '../../components/controls/dialog.js';
import { Field } from '../../components/controls/field.js';
import { Form } from '../../components/controls/form.js';
import { Moment } from '../../components/display/moment.js';
import { pagePaths } from '../../paths/page-paths.js';
import { type PageView } from '../../view/page.js';

interface DeleteKeyProps {
  readonly id: string;
  readonly keyId: string;
  readonly name: string;
  readonly lastUsedAt: string | null;
}

/** The question over the list of keys. */
export function DeleteKeyDialog(props: DeleteKeyProps) {
  return (
    <Dialog id={props.id} title={`Delete ${props.name}?`}>
      <DeleteKeyForm {...props} />
    </Dialog>
  );
}

/** The same question as a page, for browsers without scripts and for a name that was not right. */
export function deleteKeyPage({ id, name, last_used_at }: KeyView): PageView {
  return {
    title: `Delete ${name}`,
    section: 'keys',
    body: (
      <section class="panel">
        <h1>Delete {name}?</h1>
        <DeleteKeyForm id="delete" keyId={id} name={name} lastUsedAt={last_used_at} />
      </section>
    ),
  };
}

function DeleteKeyForm({ id, keyId, name, lastUsedAt }: DeleteKeyProps) {
  return (
    <Form action={`${pagePaths.keys}/${keyId}/delete`}>
      <p>
        Every program that uses this key is refused within a second, and the key cannot be restored. Your
        credits and the record of its calls stay.{' '}
        {lastUsedAt === null ? (
          'It was never used.'
        ) : (
          <>
            It was last used <Moment at={lastUsedAt} />.
          </>
        )}
      </p>
      <Field
        id={`${id}-name`}
        name="name"
        label={
          <>
            Type <strong>{name}</strong> to delete it
          </>
        }
        input={{ required: true, autocomplete: 'off', spellcheck: false }}
      />
      <div class="buttons">
        <Button kind="danger">Delete key</Button>
        <LinkButton href={pagePaths.keys}>Cancel</LinkButton>
      </div>
    </Form>
  );
}
