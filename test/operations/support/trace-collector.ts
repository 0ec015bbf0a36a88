import { createServer } from 'node:http';
import { type AddressInfo } from 'node:net';
import { once } from 'node:events';
import { json } from 'node:stream/consumers';

export interface CollectedSpan {
  readonly service: string;
  readonly traceId: string;
  readonly spanId: string;
  readonly parentSpanId?: string;
  readonly name: string;
}

interface Export {
  readonly resourceSpans: {
    readonly resource: { readonly attributes: { key: string; value: { stringValue?: string } }[] };
    readonly scopeSpans: { readonly spans: Omit<CollectedSpan, 'service'>[] }[];
  }[];
}

/** Receives what services send to an OpenTelemetry collector. */
export class TraceCollector {
  readonly spans: CollectedSpan[] = [];
  private readonly server = createServer((request, response) => {
    void json(request).then((body) => {
      for (const { resource, scopeSpans } of (body as Export).resourceSpans) {
        const name = resource.attributes.find(({ key }) => key === 'service.name');
        const service = name?.value.stringValue ?? '';
        this.spans.push(...scopeSpans.flatMap(({ spans }) => spans.map((span) => ({ ...span, service }))));
      }
      response.setHeader('content-type', 'application/json').end('{}');
    });
  });

  /** Listens; returns the URL. */
  async start(): Promise<string> {
    await once(this.server.listen(0, '127.0.0.1'), 'listening');
    return `http://127.0.0.1:${(this.server.address() as AddressInfo).port}`;
  }

  stop(): void {
    this.server.closeAllConnections();
    this.server.close();
  }
}
