// What the local Discord logs to. A file of its own, because types.ts imports most of those that log.

/** Never receives tokens or content. */
export interface LocalDiscordLog {
  debug(facts: object, message: string): void;
  warn(facts: object, message: string): void;
}
