import { type KeyView } from '@app/contracts';
import { Button, Dialog, LinkButton } from '../../components/controls.js';
import { Moment, Panel } from '../../components/display.js';
import { Field, Form } from '../../components/form.js';
import { pagePaths } from '../../paths/page-paths.js';
import { type PageView } from '../../view/page.js';

export const keyNameLengthMax = 100;

/** A question about a key: a dialog over the list of keys, and a page for browsers without scripts and after a mistake. */
interface KeyQuestionProps {
  readonly id: string;
  readonly item: KeyView;
}

export function RenameKeyDialog(props: KeyQuestionProps) {
  return (
    <Dialog id={props.id} title={`Rename ${props.item.name}`}>
      <RenameKeyForm {...props} />
    </Dialog>
  );
}

export function renameKeyPage(key: KeyView): PageView {
  const title = `Rename ${key.name}`;
  const body = (
    <Panel title={title}>
      <RenameKeyForm id="rename" item={key} />
    </Panel>
  );
  return { title, section: 'keys', body };
}

function RenameKeyForm({ id, item: key }: KeyQuestionProps) {
  return (
    <Form action={`${pagePaths.keys}/${key.id}/name`}>
      <Field
        id={`${id}-name`}
        name="name"
        label="New name"
        input={{ required: true, maxLength: keyNameLengthMax, autocomplete: 'off', value: key.name }}
      />
      <div class="buttons">
        <Button kind="primary">Rename key</Button>
        <LinkButton href={pagePaths.keys}>Cancel</LinkButton>
      </div>
    </Form>
  );
}

export function DeleteKeyDialog(props: KeyQuestionProps) {
  return (
    <Dialog id={props.id} title={`Delete ${props.item.name}?`}>
      <DeleteKeyForm {...props} />
    </Dialog>
  );
}

export function deleteKeyPage(key: KeyView): PageView {
  const body = (
    <Panel title={`Delete ${key.name}?`}>
      <DeleteKeyForm id="delete" item={key} />
    </Panel>
  );
  return { title: `Delete ${key.name}`, section: 'keys', body };
}

function DeleteKeyForm({ id, item: key }: KeyQuestionProps) {
  return (
    <Form action={`${pagePaths.keys}/${key.id}/delete`}>
      <p>
        Calls with this key are refused within a second. The key cannot be restored. Your credits and its call
        history are kept.{' '}
        {key.last_used_at === null ? (
          'It was never used.'
        ) : (
          <>
            It was last used <Moment at={key.last_used_at} />.
          </>
        )}
      </p>
      <Field
        id={`${id}-name`}
        name="name"
        label={
          <>
            Type <strong>{key.name}</strong> to delete it
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
