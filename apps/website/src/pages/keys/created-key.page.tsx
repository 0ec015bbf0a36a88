import { type KeyView } from '#contracts';
import { Copyable, firstCall, LinkButton } from '../../components/controls.js';
import { Card, Done, Callout, Moment, PageTitle } from '../../components/display.js';
import { pagePaths } from '../../paths/page-paths.js';
import { type PageView } from '../../view/page.js';

/** A new key after it was shown. */
export function shownKeyPage({ id, name }: KeyView): PageView {
  return {
    title: 'New key',
    section: 'keys',
    body: (
      <>
        <PageTitle title="New key" answer={name} />
        <Callout kind="info">
          This key was shown once. If you lost it, delete it and create a new one.
        </Callout>
        <div class="buttons">
          <LinkButton kind="primary" href={pagePaths.keys}>
            All keys
          </LinkButton>
          <LinkButton kind="danger-outline" href={`${pagePaths.keys}/${id}/delete`}>
            Delete this key
          </LinkButton>
        </div>
      </>
    ),
  };
}

/** A new key or secret, the only time it is shown. */
export function createdKeyPage(key: KeyView, secret: string, origin: string): PageView {
  const { name, rotated_at: rotatedAt } = key;
  return {
    title: 'New key',
    section: 'keys',
    body: (
      <>
        <PageTitle title="New key" answer={name} />
        <Done>
          {rotatedAt === null ? 'Created' : 'Rotated'} {name}. Copy the key now: it is shown only once.
        </Done>
        {rotatedAt !== null && <OldKey item={key} />}
        <Card title="Your key">
          <Copyable id="secret" what="key" text={secret} isSecret mustCopy />
          <p class="hint">
            Keep it on your server, never in a browser or an app. If you lose it, delete it and create a new
            one.
          </p>
        </Card>
        <Card title="Try it">
          <Copyable id="command" what="command" text={firstCall(origin, secret)} isSecret />
          <p class="hint">Returns three creators and costs 1 credit.</p>
        </Card>
        <p>
          <LinkButton kind="primary" href={pagePaths.keys}>
            I have copied it
          </LinkButton>
        </p>
      </>
    ),
  };
}

function OldKey({
  item: { previous_prefix: prefix, previous_valid_until: until },
}: {
  readonly item: KeyView;
}) {
  if (prefix === undefined || until === undefined) return <p>The old key no longer works.</p>;
  return (
    <p>
      The old key {prefix}... works until <Moment at={until} />.
    </p>
  );
}
