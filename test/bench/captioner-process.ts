// The part of a bot that captions, in a process of its own, so that its CPU can be told from that of the members and of the voice service. It
// joins a voice channel of the local Discord in the parent process and hears everybody there.
import { readdirSync, readFileSync } from 'node:fs';
import { Client, GatewayIntentBits, type VoiceBasedChannel } from 'discord.js';
import { createApi } from '../../src/api/index.ts';
import { makeRequest } from '../../src/bot/client.ts';
import { createListening } from '../../src/captions/listening.ts';
import { createSpeechFinder, type SpeechFinder } from '../../src/captions/speech-finder.ts';
import { createCapsLookup, createCreditService, openAccount, readPrices, toOperatorBudgets } from '../../src/charging/index.ts';
import { readConfig } from '../../src/config.ts';
import { trustCertificate } from '../../src/local/discord/index.ts';
import { createLog } from '../../src/log.ts';
import { openSqliteStore } from '../../src/store/index.ts';
import { createSettings } from '../../src/store/settings.ts';
import { createAcceptedLanguages } from '../../src/transcription/context.ts';
import { createSessions } from '../../src/voice-session/index.ts';
import { familyCpuMs, residentMb } from './processes.ts';

/** Times are in milliseconds since 1970. */
export interface Report {
  captions: { userId: string; startedAt: number; endedAt: number; text: string; at: number }[];
  /** From the decision that an utterance has ended to the call. */
  callDelays: number[];
  seconds: number;
  /** Milliseconds of processor time since the last report. */
  cpu: { bot: number; speechFinder: number };
  /** MB. */
  memory: { bot: number; speechFinder: number };
  /** Packets. */
  lost: number;
  heard: number;
  problems: string[];
}

/** Each is answered with a report on the time since the one before. */
export type Order =
  | { order: 'begin'; apiUrl: string; token: string; certificate: string; channelId: string; service: { url: string; key: string } }
  | { order: 'report' }
  /** Whether calls are made from now on, or answered without a word by this process: what remains is receiving, decrypting and remuxing. */
  | { order: 'calls'; made: boolean };

const now = () => performance.timeOrigin + performance.now();

let report: Report = emptyReport();
let reportedAt = performance.now();
let cpuBefore = { bot: process.cpuUsage(), speechFinder: 0 };
/** When utterances were ended that haven't been sent, by member. */
const decided = new Map<string, number[]>();
/** Whose utterance is being sent. */
let sender = '';
let makesCalls = true;

function emptyReport(): Report {
  return {
    ...{ captions: [], callDelays: [], seconds: 0, cpu: { bot: 0, speechFinder: 0 }, memory: { bot: 0, speechFinder: 0 } },
    ...{ lost: 0, heard: 0, problems: [] },
  };
}

/** The id of the process that finds speech, which is the only child. */
function childId(): number | null {
  const found = readdirSync('/proc').find((name) => {
    if (!/^\d+$/.test(name)) return false;
    try {
      return (
        readFileSync(`/proc/${name}/stat`, 'utf8')
          .replace(/^.*\) /s, '')
          .split(' ')[1] === String(process.pid)
      );
    } catch {
      return false;
    }
  });
  return found === undefined ? null : Number(found);
}

function takeReport(): Report {
  const child = childId();
  const used = process.cpuUsage(cpuBefore.bot);
  const ofFinder = child === null ? 0 : familyCpuMs(child);
  globalThis.gc?.();
  const taken: Report = {
    ...report,
    seconds: (performance.now() - reportedAt) / 1000,
    cpu: { bot: (used.user + used.system) / 1000, speechFinder: ofFinder - cpuBefore.speechFinder },
    memory: { bot: process.memoryUsage().rss / 2 ** 20, speechFinder: child === null ? 0 : (residentMb(child) ?? 0) },
  };
  report = emptyReport();
  reportedAt = performance.now();
  cpuBefore = { bot: process.cpuUsage(), speechFinder: ofFinder };
  return taken;
}

/** Notes when it has found the end of an utterance, and in whose speech: members are opened as they begin to speak. */
function watched(finder: SpeechFinder, nextMember: () => string): SpeechFinder {
  return {
    ...finder,
    open(guildId, listener) {
      const userId = nextMember();
      return finder.open(guildId, {
        ...listener,
        onSpoken(spoken) {
          decided.set(userId, [...(decided.get(userId) ?? []), performance.now()]);
          listener.onSpoken(spoken);
        },
      });
    },
  };
}

async function begin({ apiUrl, token, certificate, channelId, service }: Extract<Order, { order: 'begin' }>): Promise<void> {
  trustCertificate(certificate);
  const client = new Client({
    intents: [GatewayIntentBits.Guilds, GatewayIntentBits.GuildVoiceStates],
    rest: { api: apiUrl, makeRequest },
  });
  const ready = new Promise<Client<true>>((resolve) => client.once('clientReady', resolve));
  await client.login(token);
  const sessions = createSessions(await ready);
  const channel = client.channels.cache.get(channelId) as VoiceBasedChannel;
  const session = sessions.join(channel);
  await session.ready;
  const api = createApi({ baseUrl: service.url, apiKey: service.key });
  const store = openSqliteStore(':memory:');
  const log = createLog('error');
  const account = await openAccount({ api, store, service: 'bench', log, prices: readPrices(readConfig({})) });
  const budgets = toOperatorBudgets(readConfig({ BUDGET_MEMBER_MINUTES: '0', BUDGET_GUILD_MINUTES: '0' }));
  const credit = createCreditService({ store, account, capsOf: createCapsLookup(budgets, createSettings(store)) });
  let latest = '';
  const listening = createListening(
    {
      api: {
        transcribe: (request, options) => {
          const userId = sender;
          if (!makesCalls) {
            options?.onTurn?.();
            return Promise.resolve({ text: '', duration: 0, segments: [] });
          }
          return api.transcribe(request, {
            ...options,
            onTurn() {
              const at = decided.get(userId)?.shift();
              if (at !== undefined) report.callDelays.push(performance.now() - at);
              options?.onTurn?.();
            },
          });
        },
      },
      ...{ credit, log, transcriptionLanguages: createAcceptedLanguages(null) },
      speechFinder: watched(createSpeechFinder(), () => latest),
    },
    {
      guildId: channel.guildId,
      language(userId) {
        sender = userId;
        return null;
      },
      onCaption: (caption) => report.captions.push({ ...caption, at: now() }),
      onBehind: (seconds) => report.problems.push(`behind ${seconds}`),
      onDropped: (_, seconds) => report.problems.push(`dropped ${seconds}`),
      onOutOfBudget: () => report.problems.push('out of budget'),
      onForeign() {},
      onFailure: (error) => report.problems.push(String(error)),
      onCost() {},
    },
  );
  await listening.ready;
  const hearing = session.hear({
    heardSince: () => 0,
    onSound(sound) {
      latest = sound.userId;
      if (sound.kind === 'packet') report.heard++;
      if (sound.kind === 'lost') report.lost++;
      listening.hear(sound);
    },
    onUnheard: () => report.problems.push(`unheard ${hearing.unheard.length}`),
    onEnd: (cause) => report.problems.push(`ended: ${cause.message}`),
  });
}

process.on('message', async (order: Order) => {
  if (order.order === 'begin') await begin(order);
  if (order.order === 'calls') makesCalls = order.made;
  process.send?.(takeReport());
});
process.once('SIGTERM', () => process.exit(0));
