// Which voice message is transcribed next in a server: a few at a time, in the order of their arrival, with a limit to how many wait.

/** The service takes a few calls at once; this leaves some to `/transcribe` and to other servers. */
const AT_ONCE = 2;
/** Messages in progress or waiting in one server: at five minutes each, any more would be old news. */
const MOST = 20;
/** The same for one member. */
const MOST_EACH = 5;

export interface Turns {
  /** Resolves when it is this message's turn; null if too many are waiting. */
  take(guildId: string, memberId: string): Promise<Turn> | null;
}

interface Turn {
  /**
   * The service is done with the message, so the next one may begin. What is left to do, such as waiting for Discord to take the answer,
   * concerns nobody else.
   */
  letNext(): void;
  /** The message is answered, and no longer counts. */
  end(): void;
}

interface Waiting {
  memberId: string;
  begin: () => void;
}

export function createTurns(): Turns {
  const guilds = new Map<string, { running: Waiting[]; waiting: Waiting[]; answering: Waiting[] }>();

  return {
    take(guildId, memberId) {
      const guild = guilds.get(guildId) ?? { running: [], waiting: [], answering: [] };
      guilds.set(guildId, guild);
      const requests = [...guild.running, ...guild.waiting, ...guild.answering];
      if (requests.length >= MOST || requests.filter((request) => request.memberId === memberId).length >= MOST_EACH) return null;
      const { promise, resolve: begin } = Promise.withResolvers<void>();
      const turn: Waiting = { memberId, begin };
      const beginNext = () => {
        while (guild.running.length < AT_ONCE) {
          const next = guild.waiting.shift();
          if (!next) break;
          guild.running.push(next);
          next.begin();
        }
        if (guild.running.length + guild.answering.length === 0) guilds.delete(guildId);
      };
      guild.waiting.push(turn);
      beginNext();
      const without = (list: Waiting[]) => list.filter((other) => other !== turn);
      return promise.then(() => ({
        letNext() {
          guild.running = without(guild.running);
          guild.answering = [...without(guild.answering), turn];
          beginNext();
        },
        end() {
          guild.running = without(guild.running);
          guild.answering = without(guild.answering);
          beginNext();
        },
      }));
    },
  };
}
