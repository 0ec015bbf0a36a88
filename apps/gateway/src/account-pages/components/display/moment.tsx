import {
  formatDate,
  formatExactMoment,
  formatMoment,
  formatRelative,
  formatShortMoment,
} from '../../view/dates.js';
import { usePage } from '../../view/page-context.js';

interface MomentProps {
  /** ISO 8601 UTC. */
  readonly at: string;
  /** `date`: the day is enough. `exact`: in UTC to the millisecond, where the time is evidence. */
  readonly as?: 'moment' | 'date' | 'exact';
}

/** A time: relative below a day, else in UTC, which a script makes local. The title always says it in UTC. */
export function Moment({ at, as = 'moment' }: MomentProps) {
  const { now } = usePage();
  if (as === 'exact') return <time dateTime={at}>{formatExactMoment(at)}</time>;
  const relative = formatRelative(at, now);
  const local = relative === null ? as : undefined;
  return (
    <time dateTime={at} title={formatMoment(at)} data-local={local}>
      {relative ?? (as === 'date' ? formatDate(at) : formatShortMoment(at, now))}
    </time>
  );
}
