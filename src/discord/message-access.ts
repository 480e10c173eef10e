// What Parley may read of messages. Their content needs a privileged intent, and Discord closes the gateway (4014) of bots that
// ask for it without the switch in the developer portal. Parley then connects again without it, and everything else works.
import { GatewayCloseCodes, GatewayIntentBits, type IShardingStrategy, SimpleShardingStrategy, type WebSocketOptions } from 'discord.js';
import type { Log } from '../log.ts';

/** Whether Parley can read messages: `off` by READ_MESSAGES, or `refused` because the switch in the developer portal is off. */
export type MessageAccess = 'on' | 'off' | 'refused';

type BuildStrategy = NonNullable<WebSocketOptions['buildStrategy']>;
type Manager = Parameters<BuildStrategy>[0];

/** Intents that aren't privileged. */
const BASE_INTENTS = GatewayIntentBits.Guilds | GatewayIntentBits.GuildVoiceStates | GatewayIntentBits.DirectMessages;
const MESSAGE_INTENTS = GatewayIntentBits.GuildMessages | GatewayIntentBits.MessageContent;

const REFUSED =
  'READ_MESSAGES: Discord does not let me read messages, so I carry on without them. Turn on "Message Content Intent" on the Bot page of the developer portal, then start Parley again.';

export interface MessageIntents {
  /** The intents to ask for at first. */
  readonly intents: number;
  readonly access: MessageAccess;
  /** Opens the shards; goes into the client's options. */
  buildStrategy: BuildStrategy;
  /** Call when the gateway is closed for good. Returns true if that was because of the intent, and reconnects without it. */
  recover(code: number): boolean;
}

/** @param isWanted READ_MESSAGES @param onLost called if the gateway can't be connected again */
export function createMessageIntents(isWanted: boolean, log: Log, onLost: (error: unknown) => void): MessageIntents {
  let access: MessageAccess = isWanted ? 'on' : 'off';
  let manager: Manager | null = null;
  let reconnecting: Promise<void> | null = null;

  return {
    intents: isWanted ? BASE_INTENTS | MESSAGE_INTENTS : BASE_INTENTS,
    get access() {
      return access;
    },
    buildStrategy(used): IShardingStrategy {
      manager = used;
      const strategy = new SimpleShardingStrategy(used);
      const connect = strategy.connect.bind(strategy);
      // The login fails only if the second attempt fails, too.
      strategy.connect = async () => {
        const before = reconnecting;
        await connect().catch((error: unknown) => {
          if (reconnecting === before) throw error;
          return reconnecting;
        });
      };
      return strategy;
    },
    recover(code) {
      if (code !== GatewayCloseCodes.DisallowedIntents || access === 'off' || !manager) return false;
      // The gateway of another shard that had asked for the intent before. Now that none asks for it any more, none is refused.
      if (access === 'refused') return true;
      access = 'refused';
      log.error(REFUSED);
      manager.options.intents = BASE_INTENTS;
      // Creates new shards: the existing ones would ask for the same intents again.
      reconnecting = manager.connect();
      reconnecting.catch(onLost);
      return true;
    },
  };
}
