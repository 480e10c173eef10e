// How discord.js sends its REST requests: as it does by itself, but an edit does not get lost with its connection.
import { DefaultRestOptions, type RESTOptions } from 'discord.js';

/**
 * A request whose kept-alive connection was closed under it is sent once more, where twice does no harm. discord.js repeats only what
 * the operating system calls a reset.
 */
export const makeRequest: RESTOptions['makeRequest'] = async (url, init) => {
  try {
    return await DefaultRestOptions.makeRequest(url, init);
  } catch (error) {
    const isClosed = error instanceof Error && 'code' in error && error.code === 'UND_ERR_SOCKET';
    if (!isClosed || init.method === 'POST') throw error;
    return DefaultRestOptions.makeRequest(url, init);
  }
};
