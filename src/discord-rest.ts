// How discord.js sends its REST requests: as it does by itself, but for two things that go wrong there.
import { DefaultRestOptions, type RESTOptions } from 'discord.js';

type Init = Parameters<RESTOptions['makeRequest']>[1];

/**
 * Files are sent as plain bytes: discord.js comes with its own undici, and the connections it finds in a process with a newer one
 * refuse its forms. And a request whose kept-alive connection was closed under it is sent once more where twice does no harm:
 * discord.js repeats only what the operating system calls a reset, and the edit would be lost.
 */
export const makeRequest: RESTOptions['makeRequest'] = async (url, given) => {
  const init = await withPlainBody(given);
  try {
    return await DefaultRestOptions.makeRequest(url, init);
  } catch (error) {
    const isClosed = error instanceof Error && 'code' in error && error.code === 'UND_ERR_SOCKET';
    if (!isClosed || init.method === 'POST') throw error;
    return DefaultRestOptions.makeRequest(url, init);
  }
};

async function withPlainBody(init: Init): Promise<Init> {
  if (!(init.body instanceof FormData)) return init;
  const form = new Response(init.body);
  const headers = { ...(init.headers as Record<string, string>), 'content-type': form.headers.get('content-type') ?? '' };
  return { ...init, headers, body: Buffer.from(await form.arrayBuffer()) };
}
