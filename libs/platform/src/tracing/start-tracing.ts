export interface TracingConfig {
  readonly OTEL_EXPORTER_OTLP_ENDPOINT: string;
}

/** Ends with what is left to be sent, sent. */
export type StopTracing = () => Promise<void>;

/**
 * Takes traces and sends them to the collector that `OTEL_EXPORTER_OTLP_ENDPOINT` names; without it nothing is loaded. The
 * other variables of the OpenTelemetry SDK (`OTEL_TRACES_SAMPLER` ...) hold as documented there.
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
