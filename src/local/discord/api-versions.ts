// Versions of Discord's API. https://docs.discord.com/developers/reference#api-versioning

/** What REST and gateway are to whoever names no version. */
const DEFAULT_VERSION = 6;

/** The version that somebody asked for; null if Discord doesn't serve it. */
export function readVersion(asked: string | null | undefined): number | null {
  const version = asked == null ? DEFAULT_VERSION : Number(asked);
  return Number.isInteger(version) && version >= 6 && version <= 10 ? version : null;
}

export function isVersion(asked: string | null | undefined): boolean {
  return readVersion(asked) !== null;
}
