/** What `/health/ready` of an internal port answers. */
export async function readiness(internalUrl: string): Promise<{ status: number; body: string }> {
  const response = await fetch(`${internalUrl}/health/ready`);
  return { status: response.status, body: await response.text() };
}
