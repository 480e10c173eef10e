// How discord.js sends its REST requests: its own way, with messages that mention nobody unless they say whom, plus retries where Discord's
// time limits leave room for one.
import { DefaultRestOptions, InteractionResponseType, type RateLimitData, type RESTOptions } from 'discord.js';

type MakeRequest = RESTOptions['makeRequest'];
type Init = Parameters<MakeRequest>[1];

/** The first response to an interaction. Discord accepts it for 3 s, which leaves room for two attempts. */
const FIRST_RESPONSE = /\/interactions\/\d+\/[^/]+\/callback(\?|$)/;
const FIRST_RESPONSE_MS = 1_400;
/** "Interaction has already been acknowledged." */
const ALREADY_ACKNOWLEDGED = /"code":\s*40060\b/;
/** Nobody waits longer for a reply to change. */
const MAX_RATE_LIMIT_MS = 30_000;

interface RawMessage {
  allowed_mentions?: object | null;
}

/** Messages that are sent or edited, and the first response to an interaction, which has its message in `data`. */
const MESSAGE = /\/(channels\/\d+\/messages(\/\d+)?|webhooks\/\d+\/[^/?]+(\/messages\/[^/?]+)?)(\?|$)/;
const WITH_MESSAGE: readonly unknown[] = [InteractionResponseType.ChannelMessageWithSource, InteractionResponseType.UpdateMessage];

/**
 * What a message quotes must not notify anybody, so each one that doesn't say whom it mentions mentions nobody.
 * https://docs.discord.com/developers/resources/message#allowed-mentions-object
 */
function withoutMentions(url: string, json: string): string {
  const mentionNobody = (message: RawMessage) => ({ ...message, allowed_mentions: message.allowed_mentions ?? { parse: [] } });
  const isResponse = FIRST_RESPONSE.test(url);
  if (!isResponse && !MESSAGE.test(url)) return json;
  const body = JSON.parse(json) as RawMessage & { type?: unknown; data?: RawMessage };
  if (!isResponse) return JSON.stringify(mentionNobody(body));
  return WITH_MESSAGE.includes(body.type) ? JSON.stringify({ ...body, data: mentionNobody(body.data ?? {}) }) : json;
}

/**
 * Sends files as plain bytes: discord.js brings its own undici, and in a process with a newer one its connections refuse FormData.
 * Repeats a request whose kept-alive connection was closed under it, if sending it twice does no harm: discord.js repeats only what the
 * operating system calls a reset, and an edit would be lost.
 */
export const makeRequest: MakeRequest = async (url, given) => {
  const init = await withPlainBody(url, given);
  if (init.method === 'POST') return FIRST_RESPONSE.test(url) ? sendFirstResponse(url, init) : DefaultRestOptions.makeRequest(url, init);
  try {
    return await DefaultRestOptions.makeRequest(url, init);
  } catch (error) {
    if (codeOf(error) !== 'UND_ERR_SOCKET') throw error;
    return DefaultRestOptions.makeRequest(url, init);
  }
};

/**
 * For `rest.rejectOnRateLimit`: replies that would come too late fail at once with RateLimitError, so that the member is told; everything
 * else waits for as long as Discord wants.
 */
export function isTooLongToWait({ route, timeToReset, retryAfter }: RateLimitData): boolean {
  return /^\/(webhooks|interactions)\//.test(route) && Math.max(timeToReset, retryAfter) > MAX_RATE_LIMIT_MS;
}

/**
 * Sends a lost first response once more, soon, since there is no later. The first attempt may have arrived with only its response lost:
 * Discord then answers the second with "already acknowledged", which counts as success.
 */
async function sendFirstResponse(url: string, init: Init): ReturnType<MakeRequest> {
  // Files may take longer.
  const isSmall = typeof init.body === 'string';
  const timeout = isSmall ? AbortSignal.timeout(FIRST_RESPONSE_MS) : null;
  const signals = [init.signal, timeout].filter((signal) => signal != null);
  try {
    return await DefaultRestOptions.makeRequest(url, { ...init, signal: AbortSignal.any(signals as AbortSignal[]) });
  } catch (error) {
    if (!timeout?.aborted && !['UND_ERR_SOCKET', 'ECONNRESET'].includes(codeOf(error))) throw error;
  }
  const response = await DefaultRestOptions.makeRequest(url, init);
  if (response.status !== 400) return response;
  const text = await response.text();
  // discord.js accepts either kind of Response; only the types are of two versions. The id of the reply stays unknown.
  return (ALREADY_ACKNOWLEDGED.test(text)
    ? Response.json({ interaction: {} })
    : new Response(text, { status: 400, headers: [...response.headers] })) as unknown as typeof response;
}

function codeOf(error: unknown): string {
  return error instanceof Error && 'code' in error ? String(error.code) : '';
}

async function withPlainBody(url: string, init: Init): Promise<Init> {
  if (typeof init.body === 'string') return { ...init, body: withoutMentions(url, init.body) };
  if (!(init.body instanceof FormData)) return init;
  const json = init.body.get('payload_json');
  init.body.set('payload_json', withoutMentions(url, typeof json === 'string' ? json : '{}'));
  const form = new Response(init.body);
  const headers = { ...(init.headers as Record<string, string>), 'content-type': form.headers.get('content-type') ?? '' };
  return { ...init, headers, body: Buffer.from(await form.arrayBuffer()) };
}
