import { type KeyView } from '@app/contracts';
import { Button, LinkButton } from '../../components/controls/button.js';
import { Dialog } from '../../components/controls/dialog.js';
import { Field } from '../../components/controls/field.js';
import { Form } from '../../components/controls/form.js';
import { pagePaths } from '../../paths/page-paths.js';
import { type PageView } from '../../view/page.js';
import { keyNameLengthMax } from './key-limits.js';

interface RenameKeyProps {
  readonly id: string;
  readonly keyId: string;
  readonly name: string;
}

/** Asks for a name over the list of keys. */
export function RenameKeyDialog(props: RenameKeyProps) {
  return (
    <Dialog id={props.id} title={`Rename ${props.name}`}>
      <RenameKeyForm {...props} />
    </Dialog>
  );
}

/** The same as a page, for browsers without scripts and for a name that was not accepted. */
export function renameKeyPage({ id, name }: KeyView): PageView {
  return {
    title: `Rename ${name}`,
    section: 'keys',
    body: (
      <section class="panel">
        <h1>Rename {name}</h1>
        <RenameKeyForm id="rename" keyId={id} name={name} />
      </section>
    ),
  };
}

function RenameKeyForm({ id, keyId, name }: RenameKeyProps) {
  return (
    <Form action={`${pagePaths.keys}/${keyId}/name`}>
      <Field
        id={`${id}-name`}
        name="name"
        label="New name"
        input={{ required: true, maxLength: keyNameLengthMax, autocomplete: 'off', value: name }}
      />
      <div class="buttons">
        <Button kind="primary">Rename key</Button>
        <LinkButton href={pagePaths.keys}>Cancel</LinkButton>
      </div>
    </Form>
  );
}
