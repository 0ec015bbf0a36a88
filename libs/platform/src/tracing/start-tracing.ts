export interface TracingConfig {
  readonly OTEL_EXPORTER_OTLP_ENDPOINT: string;
}

/** Flushes the remaining spans, then stops. */
export type StopTracing = () => Promise<void>;

/**
 * Records traces and sends them to the collector at `OTEL_EXPORTER_OTLP_ENDPOINT`; without it nothing is loaded. The
 * other variables of the OpenTelemetry SDK (`OTEL_TRACES_SAMPLER` ...) apply as documented there.
 */
export async function startTracing(service: string, config: TracingConfig): Promise<StopTracing> {
  if (!config.OTEL_EXPORTER_OTLP_ENDPOINT) return () => Promise.resolve();
  const [{ BatchSpanProcessor, NodeTracerProvider }, { OTLPTraceExporter }, { resourceFromAttributes }] =
    await Promise.all([
      import('@opentelemetry/sdk-trace-node'),
      import('@opentelemetry/exporter-trace-otlp-http'),
      import('@opentelemetry/resources'),
    ]);
  const provider = new NodeTracerProvider({
    resource: resourceFromAttributes({ 'service.name': service }),
    spanProcessors: [new BatchSpanProcessor(new OTLPTraceExporter())],
  });
  provider.register();
  return () => provider.shutdown();
}
