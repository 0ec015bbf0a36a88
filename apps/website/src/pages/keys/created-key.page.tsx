import { type KeyView } from '#contracts';
import { Copyable, FirstCall, LinkButton } from '../../components/controls.js';
import { Card, Done, Callout, Moment } from '../../components/display.js';
import { pagePaths } from '../../paths/page-paths.js';
import { type PageView } from '../../view/page.js';

/** A new key or secret, the only time that its page is shown with it; without `secret` it was shown before. */
export function createdKeyPage(key: KeyView, secret: string | undefined): PageView {
  return {
    title: 'New key',
    section: 'keys',
    answer: key.name,
    body: (
      <>
        {secret === undefined && (
          <Callout kind="neutral">
            This key was shown once. If you lost it, delete it and create a new one.
          </Callout>
        )}
        {secret !== undefined && <NewSecret item={key} secret={secret} />}
        <LinkButton kind="primary" href={pagePaths.keys}>
          All keys
        </LinkButton>
      </>
    ),
  };
}

function NewSecret({ item, secret }: { readonly item: KeyView; readonly secret: string }) {
  const { name, mode, previous_prefix: prefix, previous_valid_until: until } = item;
  const isRotated = item.rotated_at !== null;
  return (
    <>
      <Done>
        {isRotated ? 'Rotated' : 'Created'} {name}. Copy the key now: it is shown only once.
      </Done>
      {isRotated && until && (
        <p>
          The old key {prefix}... works until <Moment at={until} />.
        </p>
      )}
      {isRotated && !until && <p>The old key no longer works.</p>}
      <Card title="Your key">
        <Copyable id="secret" what="key" text={secret} isSecret />
        <p class="hint">
          Keep it on your server, never in a browser or an app. If you lose it, delete it and create a new
          one.
        </p>
      </Card>
      <Card title="Try it">
        <FirstCall apiKey={secret} isSecret />
        <p class="hint">
          {mode === 'test'
            ? 'Returns three fictional creators. Calls with a test key are free.'
            : 'Returns three creators and costs 1 credit.'}
        </p>
      </Card>
    </>
  );
}
