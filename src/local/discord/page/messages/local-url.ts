// Turns URLs of the local Discord into ones that this page may fetch.

const LOOPBACK_HOSTS = new Set(['127.0.0.1', 'localhost', '[::1]']);

/**
 * The local Discord writes URLs with the host it listens on, while the page may have been opened by another name of the
 * same machine. Returns only the path of such a URL, and any other URL unchanged.
 */
export function localUrl(url: string | undefined): string | undefined {
  if (!url || !URL.canParse(url)) return url;
  const { hostname, port, protocol, pathname, search } = new URL(url);
  const isOurs =
    protocol === location.protocol && port === location.port && (hostname === location.hostname || LOOPBACK_HOSTS.has(hostname));
  return isOurs ? pathname + search : url;
}

/** Whether a `localUrl` is of the page's own server. The page loads nothing else. */
export function isLocal(url: string): boolean {
  return url.startsWith('/') && !url.startsWith('//');
}
