// Which voice message is transcribed next in a server: a few at a time, in the order of their arrival, with a limit to how many wait.
import { createSemaphore, type Semaphore } from '../../async/semaphore.ts';

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

export function createTurns(): Turns {
  /** By server: who sent the messages in progress or waiting, and the places of those that are being transcribed. */
  const guilds = new Map<string, { memberIds: string[]; places: Semaphore }>();

  return {
    take(guildId, memberId) {
      const guild = guilds.get(guildId) ?? { memberIds: [], places: createSemaphore(AT_ONCE) };
      const { memberIds, places } = guild;
      if (memberIds.length >= MOST || memberIds.filter((id) => id === memberId).length >= MOST_EACH) return null;
      guilds.set(guildId, guild);
      memberIds.push(memberId);
      return places.acquire().then((letNext) => ({
        letNext,
        end() {
          letNext();
          memberIds.splice(memberIds.indexOf(memberId), 1);
          if (memberIds.length === 0) guilds.delete(guildId);
        },
      }));
    },
  };
}
