// What the local Discord logs to.

/** Never receives tokens or content. */
export interface LocalDiscordLog {
  debug(facts: object, message: string): void;
  warn(facts: object, message: string): void;
}
