// What /privacy says about how this bot is run.

export interface PrivacyFacts {
  /** The host, or hosts, that texts and recordings are sent to; null = the local voice service, on the same machine. */
  voiceService: string | null;
  /** Limit of the cache of spoken sound, in bytes; 0 = nothing is kept. */
  cacheBytes: number;
  /** Whether members are on the local Discord, which keeps their messages on the same machine. */
  onLocalDiscord: boolean;
}
