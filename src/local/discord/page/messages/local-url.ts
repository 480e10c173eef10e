// Addresses of files as the browser may fetch them.

const LOOPBACK_HOSTS = new Set(['127.0.0.1', 'localhost', '[::1]']);

/**
 * The local Discord writes its attachments' addresses with the host it listens on; the page may have been opened by
 * another name of the same machine. Gives the path alone for those, and other addresses unchanged.
 */
export function localUrl(url: string | undefined): string | undefined {
  if (!url || !URL.canParse(url)) return url;
  const { hostname, port, protocol, pathname, search } = new URL(url);
  const isOurs =
    protocol === location.protocol && port === location.port && (hostname === location.hostname || LOOPBACK_HOSTS.has(hostname));
  return isOurs ? pathname + search : url;
}
