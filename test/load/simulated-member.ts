// A member who runs commands and listens in one guild, and records what became of each command.
import {
  type APIApplicationCommand,
  type APIMessage,
  ComponentType,
  MessageFlags,
  ApplicationCommandOptionType as OptionType,
} from 'discord.js';
import type { LocalDiscord, MemberClient } from '../../src/local/discord/index.ts';
import { partsOf, textOf } from '../helpers/member.ts';

export interface CommandRecord {
  /** The id of its interaction. */
  id: string;
  command: string;
  guildId: string;
  /** On the clock of `performance.now()`, like all times here. */
  askedAt: number;
  /** When Discord took the first answer; deferring counts. */
  answeredAt: number | null;
  /** "The application did not respond", and why. */
  failure: string | null;
  /** All the text of its messages as they are now. */
  text: string;
  /** When the command had done its work, or was reported to have failed. */
  doneAt: number | null;
}

export interface SimulatedMember {
  guildId: string;
  /** Opus packets heard that are not silence: all of them, or those of a period. */
  heard(from?: number, until?: number): number;
  /** Intervals in ms between consecutive sound packets since the last call, and the number of packets that never arrived. */
  takeIntervals(): { intervals: number[]; lost: number };
  /** Packets that arrived unencrypted, or could not be decrypted; must stay 0. */
  spoilt(): number;
  onHeard: MemberClient['onHeard'];
  listen(): Promise<void>;
  leave(): Promise<void>;
  run(command: string, options?: Record<string, string | number | boolean>): Promise<CommandRecord>;
  autocomplete(command: string, option: string, typed: string): Promise<CommandRecord>;
  /** Presses a button of the latest message that has a matching one, if any. */
  press(label: RegExp): Promise<CommandRecord | null>;
  close(): void;
}

/** The text of a `/say` that is over. */
export const OVER = /Spoken \(|Cut off after|Skipped|Stopped|Cancelled|Not spoken|I restarted before/;
const KEPT_MESSAGES = 50;

/** Sam, a different user in each guild, types and listens in the Lounge. `onDone` is called once per command. */
export function createSimulatedMember(discord: LocalDiscord, guildId: string, onDone: (record: CommandRecord) => void): SimulatedMember {
  const member = discord.member('Sam', { guildId });
  const channelId = discord.channelId('general', guildId);
  const loungeId = discord.channelId('Lounge', guildId);
  const open = new Map<string, { record: CommandRecord; messages: Map<string, string> }>();
  /** Failures that arrive before the command's id is known: immediately, while the application is offline. */
  const failedAtOnce = new Map<string, string>();
  const withButtons = new Map<string, APIMessage>();
  const heardAt: number[] = [];
  let left = { plaintext: 0, undecryptable: 0 };
  let intervals: number[] = [];
  let latest: { at: number; sequence: number } | null = null;
  let lostBefore = 0;
  member.onHeard(({ opus, sequence }) => {
    const isSound = opus.length > 3;
    const at = performance.now();
    if (isSound && latest && sequence === ((latest.sequence + 1) & 0xffff)) intervals.push(at - latest.at);
    latest = isSound ? { at, sequence } : null;
    if (isSound) heardAt.push(at);
  });

  member.onDispatch(({ t, d }) => {
    if (t === 'INTERACTION_SUCCESS' || t === 'INTERACTION_FAILURE') {
      const entry = open.get(d.interaction_id);
      if (!entry) {
        if (t === 'INTERACTION_FAILURE') failedAtOnce.set(d.interaction_id, d.reason);
        return;
      }
      entry.record.answeredAt ??= performance.now();
      if (t === 'INTERACTION_FAILURE') {
        entry.record.failure = d.reason;
        finish(d.interaction_id);
      } else if (entry.record.command.startsWith('press ')) finish(d.interaction_id);
    } else if ((t === 'MESSAGE_CREATE' || t === 'MESSAGE_UPDATE') && d.channel_id === channelId) noteMessage(d);
    else if (t === 'MESSAGE_DELETE') withButtons.delete(d.id);
  });

  function noteMessage(message: APIMessage): void {
    withButtons.delete(message.id);
    if ((message.components ?? []).length > 0) withButtons.set(message.id, message);
    for (const id of withButtons.keys()) {
      if (withButtons.size <= KEPT_MESSAGES) break;
      withButtons.delete(id);
    }
    const id = message.interaction_metadata?.id ?? '';
    const entry = open.get(id);
    const flags = message.flags ?? 0;
    if (!entry || flags & MessageFlags.Loading) return;
    // An immediate answer arrives before the confirmation that the command was run.
    entry.record.answeredAt ??= performance.now();
    entry.messages.set(message.id, textOf(message));
    entry.record.text = [...entry.messages.values()].join('\n');
    const isPrivate = (flags & MessageFlags.Ephemeral) !== 0;
    if (entry.record.command !== 'say' || isPrivate || OVER.test(textOf(message))) finish(id);
  }

  function finish(id: string): void {
    const entry = open.get(id);
    if (!entry || entry.record.doneAt !== null) return;
    entry.record.doneAt = performance.now();
    open.delete(id);
    onDone(entry.record);
  }

  /** From here on, events with this id belong to it. */
  function follow(id: string, record: CommandRecord): CommandRecord {
    record.id = id;
    open.set(id, { record, messages: new Map() });
    record.failure = failedAtOnce.get(id) ?? null;
    failedAtOnce.delete(id);
    if (record.failure !== null) finish(id);
    return record;
  }

  function begin(command: string): CommandRecord {
    return { id: '', command, guildId, askedAt: performance.now(), answeredAt: null, failure: null, text: '', doneAt: null };
  }

  let commands: APIApplicationCommand[] | null = null;
  async function find(name: string): Promise<APIApplicationCommand> {
    commands ??= await member.call('commands', { channel_id: channelId });
    const command = commands.find((one) => one.name === name);
    if (!command) throw new Error(`There is no command ${name}.`);
    return command;
  }

  return {
    guildId,
    heard: (from = 0, until = Number.POSITIVE_INFINITY) => heardAt.filter((at) => at >= from && at <= until).length,
    spoilt() {
      const stats = member.voiceStats();
      return left.plaintext + left.undecryptable + (stats ? stats.plaintext + stats.undecryptable : 0);
    },
    takeIntervals() {
      const lost = member.voiceStats()?.lost ?? 0;
      const taken = { intervals, lost: lost - lostBefore };
      intervals = [];
      lostBefore = lost;
      return taken;
    },
    onHeard: member.onHeard,
    listen: async () => void (await member.call('join_voice', { channel_id: loungeId })),
    async leave() {
      const stats = member.voiceStats();
      if (stats) left = { plaintext: left.plaintext + stats.plaintext, undecryptable: left.undecryptable + stats.undecryptable };
      await member.call('join_voice', { channel_id: null });
    },
    async run(name, values = {}) {
      const command = await find(name);
      const options = Object.entries(values).map(([option, value]) => {
        const type = command.options?.find((one) => one.name === option)?.type ?? OptionType.String;
        return { name: option, type, value };
      });
      const record = begin(name);
      const { interaction_id } = await member.call('run_command', { channel_id: channelId, command_id: command.id, options });
      return follow(interaction_id, record);
    },
    async autocomplete(name, option, typed) {
      const command = await find(name);
      const record = begin(`autocomplete ${name}`);
      const options = [{ name: option, type: OptionType.String, value: typed, focused: true }];
      await member.call('autocomplete', { channel_id: channelId, command_id: command.id, options }).catch((error: Error) => {
        record.failure = error.message;
      });
      record.answeredAt = record.doneAt = performance.now();
      onDone(record);
      return record;
    },
    async press(label) {
      for (const message of [...withButtons.values()].reverse()) {
        const button = partsOf(message.components).find(
          (one) => one.type === ComponentType.Button && 'label' in one && !one.disabled && label.test(one.label ?? ''),
        );
        if (!button || !('custom_id' in button)) continue;
        const record = begin(`press ${label.source}`);
        const { interaction_id } = await member.call('click', {
          ...{ channel_id: channelId, message_id: message.id, custom_id: button.custom_id, component_type: button.type },
        });
        return follow(interaction_id, record);
      }
      return null;
    },
    close: () => member.close(),
  };
}
