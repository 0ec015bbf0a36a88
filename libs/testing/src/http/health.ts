export interface Readiness {
  readonly status: number;
  readonly body: string;
}

/** What `/health/ready` of an internal port answers. */
export async function readiness(internalUrl: string): Promise<Readiness> {
  const response = await fetch(`${internalUrl}/health/ready`);
  return { status: response.status, body: await response.text() };
}
