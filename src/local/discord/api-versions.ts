// Versions of Discord's API that are served. https://docs.discord.com/developers/reference#api-versioning

/** For requests and connections that name no version. */
const DEFAULT_VERSION = 6;

/** The requested version; null if Discord doesn't serve it. */
export function parseVersion(requested: string | null | undefined): number | null {
  const version = requested == null ? DEFAULT_VERSION : Number(requested);
  return Number.isInteger(version) && version >= 6 && version <= 10 ? version : null;
}
