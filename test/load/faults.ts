// The faults of the soak test: one at a time, in Discord's gateway, voice or REST, or at the voice service.
import { setTimeout as sleep } from 'node:timers/promises';
import { pick, type Random } from '../helpers/random.ts';
import type { LoadEnvironment } from './environment.ts';
import { FAULTS } from './flaky-proxy.ts';

export interface InjectedFault {
  what: string;
  /** On the clock of `performance.now()`; `until` is infinite while the fault lasts. */
  from: number;
  until: number;
  /** The bot cannot receive a command, or cannot answer it in time. */
  keepsFromAnswering: boolean;
  /** The guilds in which listeners may miss something, or hear the beginning twice. */
  breaksVoiceIn: string | 'all' | null;
  /** The bot may be in a channel without listeners until it leaves. */
  sendsAway: boolean;
}

type Effects = Partial<Pick<InjectedFault, 'keepsFromAnswering' | 'breaksVoiceIn' | 'sendsAway'>>;

/** Starts a fault; `over` resolves when everything works again. */
export function injectFault(environment: LoadEnvironment, random: Random): { fault: InjectedFault; over: Promise<void> } {
  const { discord, proxy } = environment;
  const guildId = pick(discord.guildIds, random);
  const botId = discord.application.id;
  const ms = 500 + random() * 7_000;
  const { faults } = discord.voice;

  /** Until the disconnected bot has reconnected: after an invalid session it has to wait several seconds. */
  async function untilBack(cut: () => void): Promise<void> {
    cut();
    do await sleep(500);
    while (!discord.gateway.online);
  }

  const kinds: [what: string, effects: Effects, run: () => unknown][] = [
    ...FAULTS.map((state): (typeof kinds)[number] => [
      `the voice service ${state}`,
      {},
      async () => {
        proxy.state = state;
        await sleep(ms);
        proxy.state = 'well';
      },
    ]),
    ['the gateway socket is dropped', { keepsFromAnswering: true }, () => untilBack(() => discord.gateway.dropConnections())],
    ['the gateway asks to reconnect', { keepsFromAnswering: true }, () => untilBack(() => discord.gateway.requestReconnect())],
    [
      'the gateway session is invalid, to be resumed',
      { keepsFromAnswering: true },
      () => untilBack(() => discord.gateway.invalidate(true)),
    ],
    [
      'the gateway session is invalid',
      { keepsFromAnswering: true, breaksVoiceIn: 'all' },
      () => untilBack(() => discord.gateway.invalidate(false)),
    ],
    [
      'the gateway is out',
      { keepsFromAnswering: true },
      async () => {
        discord.gateway.outage(pick(['refused', 'silent'] as const, random));
        await sleep(ms);
        await untilBack(() => discord.gateway.outage(null));
      },
    ],
    ...[4006, 4009, 4014, 4015, null].map((code): (typeof kinds)[number] => [
      `a voice gateway closes with ${code ?? 'nothing'}`,
      { breaksVoiceIn: guildId },
      () => faults.closeGateway(guildId, botId, code),
    ]),
    [
      'UDP of a guild goes nowhere',
      { breaksVoiceIn: guildId },
      async () => {
        faults.dropUdpOf.add(guildId);
        await sleep(ms);
        faults.dropUdpOf.delete(guildId);
      },
    ],
    ['the voice server changes', { breaksVoiceIn: 'all' }, () => discord.changeVoiceServer()],
    [
      'the bot is moved',
      { breaksVoiceIn: guildId, sendsAway: true },
      () => discord.moveUser(botId, discord.channelId('Workshop', guildId), guildId),
    ],
    ['the bot is put out of voice', { breaksVoiceIn: guildId }, () => discord.moveUser(botId, null, guildId)],
    ['a request to Discord fails', {}, () => discord.failRest(/./, { status: 500 })],
    ['a request to Discord is told to wait', {}, () => discord.failRest(/./, { status: 429, retryAfterSeconds: 1 })],
    ['an edit is reset', {}, () => discord.failRest(/^PATCH/, 'reset')],
    ['a first answer is reset', { keepsFromAnswering: true }, () => discord.failRest(/callback/, 'reset')],
  ];
  const [what, effects, run] = pick(kinds, random);
  const fault: InjectedFault = {
    ...{ what, from: performance.now(), until: Number.POSITIVE_INFINITY },
    ...{ keepsFromAnswering: false, breaksVoiceIn: null, sendsAway: false },
    ...effects,
  };
  const over = (async () => {
    await run();
    fault.until = performance.now();
  })();
  return { fault, over };
}
