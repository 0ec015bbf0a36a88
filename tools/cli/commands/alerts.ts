import { randomUUID } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import { CliError } from '../errors.js';
import { command, group } from './command.js';

interface Alert {
  /** Each is named after where its messages arrive, in the configuration that alertmanager.sh writes. */
  readonly receivers: readonly { readonly name: string }[];
}

const defaultUrl = 'http://127.0.0.1:9093';
const alertEndsAfterMs = 60_000;
const deliveryTimeoutMs = 60_000;
const pollMs = 500;

const help = `
It goes to Alertmanager, at ALERTMANAGER_URL (default: ${defaultUrl}), which sends it on as it sends every alert. A message that the
alert has ended follows within some minutes. Exit code: 1 when a channel did not take the message, or there is none.
`;

export const alertCommands = group('alerts', 'alerts to the people who operate the service', [
  command('test', 'send a test alert to where alerts go, and say whether it was delivered', {
    more: help,
    run: async (session) => {
      const alertmanager = new Alertmanager(session.io.environment.ALERTMANAGER_URL || defaultUrl);
      const before = await alertmanager.attempts();
      const receivers = await alertmanager.send();
      session.note(`Sent. It should arrive as: ${receivers.join('; ')}.`);
      await alertmanager.waitUntilDelivered(before, receivers.length);
      session.print({ delivered: receivers }, () => 'Delivered.');
    },
  }),
]);

/** Attempts to send a message since Alertmanager started: all, and the failed ones by channel (`email`, `webhook`). */
interface Attempts {
  readonly all: number;
  readonly failed: ReadonlyMap<string, number>;
}

class Alertmanager {
  private readonly url: string;

  constructor(url: string) {
    if (!URL.canParse(url)) throw new CliError(`ALERTMANAGER_URL is not a URL: ${url}`);
    this.url = url.replace(/\/+$/, '');
  }

  /** Sends the alert, and returns the names of its receivers. Throws `CliError` when there is none. */
  async send(): Promise<string[]> {
    const test = randomUUID();
    const alert = {
      labels: { alertname: 'TestAlert', severity: 'ticket', test },
      annotations: {
        summary: 'A test: alerts reach you. Nothing is wrong.',
        runbook: 'docs/operations/watching.md',
      },
      startsAt: new Date().toISOString(),
      endsAt: new Date(Date.now() + alertEndsAfterMs).toISOString(),
    };
    const headers = { 'content-type': 'application/json' };
    await this.fetch('/api/v2/alerts', { method: 'POST', headers, body: JSON.stringify([alert]) });
    const filter = encodeURIComponent(`test="${test}"`);
    const [sent] = (await (await this.fetch(`/api/v2/alerts?filter=${filter}`)).json()) as Alert[];
    const names = (sent?.receivers ?? []).map(({ name }) => name).filter((name) => name !== 'none');
    if (names.length === 0) {
      throw new CliError('Alerts have no receiver: set ALERTS_TO or ALERTS_WEBHOOK_URL of Alertmanager.');
    }
    return names;
  }

  async attempts(): Promise<Attempts> {
    const text = await (await this.fetch('/metrics')).text();
    const read = (name: string): [channel: string, count: number][] =>
      [...text.matchAll(new RegExp(`^${name}\\{[^}]*integration="(\\w+)"[^}]*\\} (\\S+)$`, 'gm'))].map(
        ([, channel = '', count]) => [channel, Number(count)],
      );
    const all = read('alertmanager_notification_requests_total');
    return {
      all: all.reduce((sum, [, count]) => sum + count, 0),
      failed: new Map(read('alertmanager_notification_requests_failed_total')),
    };
  }

  /**
   * Waits for as many attempts as there are receivers. Alertmanager counts by channel, not by alert: an alert that is sent at the
   * same moment may be taken for the test. Throws `CliError` with the channels that failed.
   */
  async waitUntilDelivered(before: Attempts, receivers: number): Promise<void> {
    const deadline = Date.now() + deliveryTimeoutMs;
    for (;;) {
      const { all, failed } = await this.attempts();
      const channels = [...failed.keys()].filter(
        (channel) => (failed.get(channel) ?? 0) > (before.failed.get(channel) ?? 0),
      );
      if (channels.length > 0) {
        throw new CliError(
          `Not delivered by ${channels.join(', ')}. Alertmanager's log says why: docker compose logs alertmanager`,
        );
      }
      if (all - before.all >= receivers) return;
      if (Date.now() > deadline) {
        throw new CliError(`Not delivered within ${deliveryTimeoutMs / 1_000} s. See Alertmanager's log.`);
      }
      await delay(pollMs);
    }
  }

  private async fetch(path: string, options: RequestInit = {}): Promise<Response> {
    const response = await fetch(this.url + path, {
      ...options,
      signal: AbortSignal.timeout(10_000),
    }).catch(() => {
      throw new CliError(
        `No Alertmanager answers at ${this.url}. Is it running? For another address set ALERTMANAGER_URL.`,
      );
    });
    if (!response.ok) {
      throw new CliError(`${this.url}${path} answered ${response.status}: ${await response.text()}`);
    }
    return response;
  }
}
