import { type KeyView } from '@app/contracts';
import { LinkButton } from '../../components/controls/button.js';
import { Copyable } from '../../components/controls/copyable.js';
import { Card } from '../../components/display/card.js';
import { pagePaths } from '../../paths/page-paths.js';
import { firstCall } from '../first-call.js';

interface QuickStartProps {
  readonly keys: readonly KeyView[];
  readonly origin: string;
  /** Without credits, buying some comes first. */
  readonly hasCredits: boolean;
}

/** The way to the first call, as long as there was none. */
export function QuickStart({ keys, origin, hasCredits }: QuickStartProps) {
  const [key] = keys.filter(({ active }) => active);
  return (
    <Card title="Make the first call">
      {key ? (
        <>
          <p>
            Put your key <strong>{key.name}</strong> in place of <code>{key.prefix}...</code> and run this. It
            shows three creators, and costs 1 credit.
          </p>
          <Copyable id="first-call" what="command" text={firstCall(origin, `${key.prefix}...`)} />
        </>
      ) : (
        <>
          <p>
            {hasCredits ? 'A call needs a key.' : 'A call needs credits and a key.'} The key is shown once,
            with a command that you can run as it is.
          </p>
          <LinkButton kind={hasCredits ? 'primary' : 'plain'} href={pagePaths.keys}>
            Create a key
          </LinkButton>
        </>
      )}
    </Card>
  );
}
