// Requests to the local Discord's REST API, and a check of its responses.
import type { LocalDiscord } from '../../src/local/discord/index.ts';

const ANSWER_MS = 60_000;

/** @throws Error for a response that Discord would not send */
export async function askDiscord(
  { apiUrl, application }: LocalDiscord,
  method: string,
  path: string,
  headers: Record<string, string>,
  body?: Uint8Array<ArrayBuffer> | string,
): Promise<string> {
  const response = await fetch(`${apiUrl}/v10${path}`, {
    method,
    headers: { authorization: `Bot ${application.token}`, ...headers },
    ...(body === undefined ? {} : { body }),
    signal: AbortSignal.timeout(ANSWER_MS),
  });
  const said = await response.text();
  if (response.status >= 500)
    throw new Error(`the local Discord answered ${method} ${path} with ${response.status}: ${said.slice(0, 300)}`);
  return `Discord: ${response.status}`;
}
