// Which voice message is transcribed next in a server: a few at a time, in the order of their arrival, with a limit to how many wait.

/** The service takes a few calls at once; this leaves some to `/transcribe` and to other servers. */
const AT_ONCE = 2;
/** Messages in progress or waiting in one server: at five minutes each, any more would be old news. */
const MOST = 20;
/** The same for one member. */
const MOST_EACH = 5;

export interface Turns {
  /** Resolves when it is this message's turn, with a function that ends the turn; null if too many are waiting. */
  take(guildId: string, memberId: string): Promise<() => void> | null;
}

interface Waiting {
  memberId: string;
  begin: () => void;
}

export function createTurns(): Turns {
  const guilds = new Map<string, { running: Waiting[]; waiting: Waiting[] }>();

  return {
    take(guildId, memberId) {
      const guild = guilds.get(guildId) ?? { running: [], waiting: [] };
      guilds.set(guildId, guild);
      const all = [...guild.running, ...guild.waiting];
      if (all.length >= MOST || all.filter((one) => one.memberId === memberId).length >= MOST_EACH) return null;
      const { promise, resolve: begin } = Promise.withResolvers<void>();
      const one: Waiting = { memberId, begin };
      const beginNext = () => {
        while (guild.running.length < AT_ONCE) {
          const next = guild.waiting.shift();
          if (!next) break;
          guild.running.push(next);
          next.begin();
        }
        if (guild.running.length === 0) guilds.delete(guildId);
      };
      guild.waiting.push(one);
      beginNext();
      return promise.then(() => () => {
        guild.running = guild.running.filter((other) => other !== one);
        beginNext();
      });
    },
  };
}
