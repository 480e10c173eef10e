// A member at the keyboard of the local Discord, as tests need one: runs commands by name and waits for what comes back.
import {
  type APIApplicationCommand,
  type APIMessage,
  ApplicationCommandType,
  ComponentType,
  MessageFlags,
  ApplicationCommandOptionType as OptionType,
} from 'discord.js';
import { expect } from 'vitest';
import type { MemberClient } from '../../src/local/discord/index.ts';
import type { Dispatch, FilledOption } from '../../src/local/discord/page/protocol.ts';
import type { ListenerStats } from '../../src/local/discord/voice/types.ts';

type OptionValues = Record<string, string | number | boolean>;

/** What the member sees of one interaction. */
interface Asked {
  id: string;
  /** Messages of the interaction as they stand now, the deleted ones left out. */
  messages(): APIMessage[];
  /** Waits for a message of the interaction, new or changed, that fits. */
  message(fits: (message: APIMessage) => boolean): Promise<APIMessage>;
  /** Waits for the sentence that only this member sees. */
  sentence(): Promise<string>;
  /** Waits until one of its messages was deleted. */
  deleted(): Promise<void>;
}

interface Ear {
  /** Opus packets heard since `listen`, without those that are silence. */
  frames(): Uint8Array[];
  stats(): ListenerStats;
}

/** A file by its name. */
type NamedFile = [name: string, bytes: Uint8Array];

export interface Member {
  client: MemberClient;
  run(command: string, options?: OptionValues): Promise<Asked>;
  runOnMessage(command: string, messageId: string): Promise<Asked>;
  click(message: APIMessage, label: string): Promise<Asked>;
  autocomplete(command: string, option: string, typed: string): Promise<{ name: string; value: string | number }[]>;
  /** The id that goes into an attachment option. */
  upload(...file: NamedFile): string;
  /** Sends a message with these files. */
  send(...files: NamedFile[]): Promise<APIMessage>;
  sendVoiceMessage(...file: NamedFile): Promise<APIMessage>;
  /** Joins a voice channel, `Lounge` unless another is named. */
  listen(channelId?: string): Promise<Ear>;
  leaveVoice(): Promise<void>;
}

const WAIT_MS = 30_000;

/** `channelId` is the text channel in which the member types, `loungeId` the voice channel to join. */
export function createMember(line: MemberClient, channelId: string, loungeId: string): Member {
  const dispatches: Dispatch[] = [];
  const waiting = new Set<() => void>();
  line.onDispatch((dispatch) => {
    dispatches.push(dispatch);
    for (const look of waiting) look();
  });

  /** Looks again at each dispatch until there is something. */
  function until<T>(look: () => T | undefined, what: () => string): Promise<T> {
    return new Promise((resolve, reject) => {
      const timer = setTimeout(() => {
        waiting.delete(check);
        reject(new Error(`Waited in vain for ${what()}`));
      }, WAIT_MS);
      const check = () => {
        const found = look();
        if (found === undefined) return;
        clearTimeout(timer);
        waiting.delete(check);
        resolve(found);
      };
      waiting.add(check);
      check();
    });
  }

  async function find(name: string): Promise<APIApplicationCommand> {
    const { commands } = await line.call('hello', {});
    const command = commands.find((one) => one.name === name);
    if (!command) throw new Error(`There is no command ${name}.`);
    return command;
  }

  function fill(command: APIApplicationCommand, values: OptionValues): FilledOption[] {
    return Object.entries(values).map(([name, value]) => {
      const option = command.options?.find((one) => one.name === name);
      if (!option) throw new Error(`/${command.name} has no option ${name}.`);
      return { name, type: option.type, value };
    });
  }

  function asked(id: string): Asked {
    const own = (message: APIMessage) => message.interaction_metadata?.id === id;
    const messages = () => {
      const state = new Map<string, APIMessage>();
      for (const { t, d } of dispatches) {
        if ((t === 'MESSAGE_CREATE' || t === 'MESSAGE_UPDATE') && own(d)) state.set(d.id, d);
        if (t === 'MESSAGE_DELETE') state.delete(d.id);
      }
      return [...state.values()];
    };
    const failure = () => dispatches.find((one) => one.t === 'INTERACTION_FAILURE' && one.d.interaction_id === id);
    const seen = () => `an answer to ${id}; there is ${JSON.stringify(messages().map(shown))} ${JSON.stringify(failure()?.d ?? '')}`;
    return {
      id,
      messages,
      message: (fits) => until(() => messages().find(fits), seen),
      async sentence() {
        const isSentence = (message: APIMessage) => isEphemeral(message) && !isLoading(message) && message.content !== '';
        return (await until(() => messages().find(isSentence), seen)).content;
      },
      async deleted() {
        const created = () => dispatches.flatMap(({ t, d }) => (t === 'MESSAGE_CREATE' && own(d) ? [d.id] : []));
        await until(
          () => dispatches.find(({ t, d }) => t === 'MESSAGE_DELETE' && created().includes(d.id)),
          () => `a deletion of ${seen()}`,
        );
      },
    };
  }

  const uploadFile = (name: string, bytes: Uint8Array) => line.upload(name, typeOf(name), bytes).id;

  return {
    client: line,
    async run(name, values = {}) {
      const command = await find(name);
      const { interaction_id } = await line.call('run_command', {
        channel_id: channelId,
        command_id: command.id,
        options: fill(command, values),
      });
      return asked(interaction_id);
    },
    async runOnMessage(name, messageId) {
      const command = await find(name);
      expect(command.type).toBe(ApplicationCommandType.Message);
      const { interaction_id } = await line.call('run_command', { channel_id: channelId, command_id: command.id, target_id: messageId });
      return asked(interaction_id);
    },
    async click(message, label) {
      const buttons = (message.components ?? []).flatMap((row) => (row.type === ComponentType.ActionRow ? row.components : []));
      const button = buttons.find((one) => one.type === ComponentType.Button && 'label' in one && one.label?.includes(label));
      if (!button || !('custom_id' in button)) throw new Error(`There is no button ${label}.`);
      const { interaction_id } = await line.call('click', {
        channel_id: message.channel_id,
        message_id: message.id,
        custom_id: button.custom_id,
        component_type: button.type,
      });
      return asked(interaction_id);
    },
    async autocomplete(name, option, typed) {
      const command = await find(name);
      const options = [{ name: option, type: OptionType.String, value: typed, focused: true }];
      return line.call('autocomplete', { channel_id: channelId, command_id: command.id, options });
    },
    upload: uploadFile,
    send: (...files) => line.call('send_message', { channel_id: channelId, uploads: files.map((file) => uploadFile(...file)) }),
    sendVoiceMessage: (...file) =>
      line.call('send_message', {
        channel_id: channelId,
        uploads: [uploadFile(...file)],
        voice_message: { duration_secs: 4, waveform: 'AAAA' },
      }),
    async listen(voiceChannelId = loungeId) {
      const frames: Uint8Array[] = [];
      line.onHeard(({ opus }) => {
        if (opus.length > 3) frames.push(opus.slice());
      });
      await line.call('join_voice', { channel_id: voiceChannelId });
      return {
        frames: () => frames,
        stats: () => line.voiceStats() ?? NOTHING_HEARD,
      };
    },
    async leaveVoice() {
      await line.call('join_voice', { channel_id: null });
    },
  };
}

function typeOf(name: string): string {
  return name.endsWith('.txt') ? 'text/plain' : `audio/${name.split('.').at(-1)}`;
}

const NOTHING_HEARD: ListenerStats = { packets: 0, decrypted: 0, silence: 0, early: 0, plaintext: 0, undecryptable: 0, lost: 0 };

export function isEphemeral(message: APIMessage): boolean {
  return ((message.flags ?? 0) & MessageFlags.Ephemeral) !== 0;
}

/** "… is thinking". */
function isLoading(message: APIMessage): boolean {
  return ((message.flags ?? 0) & MessageFlags.Loading) !== 0;
}

/** All the text of a message. */
export function shown(message: APIMessage): string {
  const embeds = message.embeds.flatMap((embed) => [embed.author?.name, embed.title, embed.description, embed.footer?.text]);
  return [message.content, ...embeds].filter(Boolean).join('\n');
}
