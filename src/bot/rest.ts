// How discord.js sends its REST requests: as it does by itself, but for what goes wrong there.
import { DefaultRestOptions, type RateLimitData, type RESTOptions } from 'discord.js';

type MakeRequest = RESTOptions['makeRequest'];
type Init = Parameters<MakeRequest>[1];

/** The first answer of an interaction, which Discord takes for 3 s; more tries than two have no room in that. */
const FIRST_ANSWER = /\/interactions\/\d+\/[^/]+\/callback(\?|$)/;
const FIRST_ANSWER_MS = 1_400;
/** "Interaction has already been acknowledged." */
const ALREADY_ANSWERED = /"code":\s*40060\b/;
/** Nobody waits longer for an answer to be changed. */
const LONGEST_WAIT_MS = 30_000;

/**
 * Files are sent as plain bytes: discord.js comes with its own undici, and the connections it finds in a process with a newer one
 * refuse its forms. And a request whose kept-alive connection was closed under it is sent once more where twice does no harm:
 * discord.js repeats only what the operating system calls a reset, and the edit would be lost.
 */
export const makeRequest: MakeRequest = async (url, given) => {
  const init = await withPlainBody(given);
  if (init.method === 'POST') return FIRST_ANSWER.test(url) ? sendFirstAnswer(url, init) : DefaultRestOptions.makeRequest(url, init);
  try {
    return await DefaultRestOptions.makeRequest(url, init);
  } catch (error) {
    if (codeOf(error) !== 'UND_ERR_SOCKET') throw error;
    return DefaultRestOptions.makeRequest(url, init);
  }
};

/**
 * For `rest.rejectOnRateLimit`: answers that would come too late are given up at once, with RateLimitError, so that their members are
 * told; anything else waits for as long as Discord wants.
 */
export function isTooLongToWait({ route, timeToReset, retryAfter }: RateLimitData): boolean {
  return /^\/(webhooks|interactions)\//.test(route) && Math.max(timeToReset, retryAfter) > LONGEST_WAIT_MS;
}

/**
 * A first answer that is lost is sent once more, soon: there is no other time for it. The one before may have come through, with only
 * the answer to it lost: being told that there is one already is then what was wanted.
 */
async function sendFirstAnswer(url: string, init: Init): ReturnType<MakeRequest> {
  // Files may take their time.
  const isSmall = typeof init.body === 'string';
  const hurry = isSmall ? AbortSignal.timeout(FIRST_ANSWER_MS) : null;
  const signals = [init.signal, hurry].filter((signal) => signal != null);
  try {
    return await DefaultRestOptions.makeRequest(url, { ...init, signal: AbortSignal.any(signals as AbortSignal[]) });
  } catch (error) {
    if (!hurry?.aborted && !['UND_ERR_SOCKET', 'ECONNRESET'].includes(codeOf(error))) throw error;
  }
  const response = await DefaultRestOptions.makeRequest(url, init);
  if (response.status !== 400) return response;
  const text = await response.text();
  // To discord.js the one is as good as the other; only their types are of two versions. What it asked to be told is not known.
  return (ALREADY_ANSWERED.test(text)
    ? Response.json({ interaction: {} })
    : new Response(text, { status: 400, headers: [...response.headers] })) as unknown as typeof response;
}

function codeOf(error: unknown): string {
  return error instanceof Error && 'code' in error ? String(error.code) : '';
}

async function withPlainBody(init: Init): Promise<Init> {
  if (!(init.body instanceof FormData)) return init;
  const form = new Response(init.body);
  const headers = { ...(init.headers as Record<string, string>), 'content-type': form.headers.get('content-type') ?? '' };
  return { ...init, headers, body: Buffer.from(await form.arrayBuffer()) };
}
