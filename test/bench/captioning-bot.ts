// Captions as members see them: a whole bot in a process of its own, captions started with /captions, and members who speak in its channel.
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { APIMessage } from 'discord.js';
import { type LocalDiscord, type MemberClient, startLocalDiscord } from '../../src/local/discord/index.ts';
import { commandsRegistered } from '../helpers/local-discord.ts';
import { startArguments } from '../helpers/program.ts';
import { endProcess } from './processes.ts';
import { startBot, within } from './say.ts';
import type { SteadyService } from './steady-service.ts';

const SUBCOMMAND = 1;
const STRING = 3;
const BUTTON = 2;
/** Until the bot has said that captions are on, and is silent. */
const ANNOUNCED_MS = 8000;
/** Keeps within a member's cooldown, and apart from the sound before. */
const PACE_MS = 2500;

export interface CaptioningBot {
  discord: LocalDiscord;
  /** In the voice channel; all have agreed once `start` has resolved. */
  members: MemberClient[];
  /** When each line of captions was first seen, in milliseconds since 1970, with the name before it. */
  lines: { name: string; at: number }[];
  start(): Promise<void>;
  stop(): Promise<void>;
  /** From the first byte of the service's sound to the first packet that a member hears, in ms. */
  say(): Promise<number>;
  close(): Promise<void>;
}

export async function openCaptioningBot(service: SteadyService, speakers: number): Promise<CaptioningBot> {
  const folder = await mkdtemp(join(tmpdir(), 'parley-bench-captions-'));
  const discord = await startLocalDiscord({ members: speakers + 1 });
  const bot = await startBot(startArguments, discord, service, folder, { BUDGET_MEMBER_MINUTES: '0', BUDGET_GUILD_MINUTES: '0' });
  await commandsRegistered(discord);
  const voiceChannel = discord.channelId('Lounge');
  const ids = [...(discord.world.guilds.get(discord.guildId)?.members.keys() ?? [])].filter((id) => id !== discord.application.id);
  const robin = discord.member();
  const members = ids.slice(0, speakers).map((id) => (id === robin.userId ? robin : discord.member(id)));
  for (const member of members) await member.call('join_voice', { channel_id: voiceChannel });
  const { commands } = await robin.call('hello', {});
  const lines: CaptioningBot['lines'] = [];
  /** How many lines each message had when it was last seen. */
  const counts = new Map<string, number>();
  let panel: Promise<APIMessage> | null = null;
  let onSound: ((at: number) => void) | null = null;
  let said = 0;

  robin.onDispatch(({ t, d }) => {
    if (t !== 'MESSAGE_CREATE' && t !== 'MESSAGE_UPDATE') return;
    const { id, channel_id, content = '' } = d as APIMessage;
    if (channel_id !== voiceChannel) return;
    const names = [...content.matchAll(/^\*\*(.+?)\*\* /gm)].map(([, name = '']) => name);
    const at = performance.timeOrigin + performance.now();
    // Lines may come in between, so those that are new are told by how many each name has.
    for (const name of new Set(names)) {
      const key = `${id} ${name}`;
      const count = names.filter((one) => one === name).length;
      for (let seen = counts.get(key) ?? 0; seen < count; seen++) lines.push({ name, at });
      counts.set(key, count);
    }
  });
  robin.onHeard(({ user_id, opus }) => {
    if (user_id === discord.application.id && opus.length > 3) onSound?.(performance.now());
  });

  async function run(name: string, options: object[]): Promise<void> {
    const command = commands.find((one) => one.name === name);
    if (!command) throw new Error(`The bot has no command ${name}.`);
    const where = name === 'captions' ? voiceChannel : discord.channelId('general');
    await robin.call('run_command', { channel_id: where, command_id: command.id, options: options as never });
  }

  return {
    discord,
    members,
    lines,
    async start() {
      const isPanel = (message: unknown) => idOfButton(message as APIMessage, 'Caption me') !== null;
      panel = robin.next('MESSAGE_CREATE', isPanel as never) as Promise<never>;
      await run('captions', [{ name: 'start', type: SUBCOMMAND, options: [] }]);
      const message = await within(panel, 'the panel of captions');
      const custom_id = idOfButton(message, 'Caption me') as string;
      for (const member of members) {
        await member.call('click', { channel_id: voiceChannel, message_id: message.id, custom_id, component_type: BUTTON });
      }
      await sleep(ANNOUNCED_MS);
    },
    async stop() {
      await run('captions', [{ name: 'stop', type: SUBCOMMAND, options: [] }]);
      await sleep(PACE_MS);
    },
    async say() {
      const heard = new Promise<number>((resolve) => {
        onSound = resolve;
      });
      await run('say', [{ name: 'text', type: STRING, value: `This is sentence number ${++said}.` }]);
      const heardAt = await within(heard, 'sound after /say');
      onSound = null;
      await sleep(PACE_MS);
      return heardAt - service.firstByteAt;
    },
    async close() {
      await endProcess(bot);
      await discord.close();
      await rm(folder, { recursive: true, force: true });
    },
  };
}

/** The custom id of the button with this label; null if there is none. */
function idOfButton(part: object, label: string): string | null {
  if ('label' in part && part.label === label && 'custom_id' in part) return part.custom_id as string;
  for (const inner of Object.values(part).flat()) {
    const id = typeof inner === 'object' && inner !== null ? idOfButton(inner, label) : null;
    if (id !== null) return id;
  }
  return null;
}
