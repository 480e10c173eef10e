// Puts a bot together from its parts: the account at the voice service, the speech engine, and what processes of one bot share. `main.ts`
// and the tests both start bots with it, so what the tests try is wired as what operators run.
import { Events } from 'discord.js';
import { familyOf } from '../api/models.ts';
import type { ApiClient } from '../api/types.ts';
import { type AccountOptions, openAccount } from '../charging/index.ts';
import { describeError } from '../discord/errors.ts';
import { en } from '../locales/index.ts';
import { openCallLimit } from '../processes/call-limit.ts';
import { createSettings } from '../store/settings.ts';
import {
  createSoundOwners,
  createSpeech,
  createVoiceLevels,
  type NamedDefaults,
  type SpeechCache,
  type SpeechRequest,
} from '../synthesis/index.ts';
import { createDefaultVoices } from '../voice-catalogue/default-voices.ts';
import { createLanguageVoices } from '../voice-catalogue/language-voices.ts';
import { createVoiceOwners } from '../voice-catalogue/owners.ts';
import { createBot } from './bot.ts';
import type { OtherProcesses } from './several-processes.ts';
import type { Bot, BotOptions, VoiceServiceFacts } from './types.ts';

/** The same, and what composing the bot needs. */
export interface BotVoiceService extends VoiceServiceFacts {
  /** Names its balance in the store. */
  name: string;
  /** Names the loudness of its voices in the store: another service may have another voice under the same id. */
  speechName: string;
  /** It isn't the local one, and its default voice may be another one in each request. */
  isHosted?: boolean | undefined;
  /** The voices that it would use by default, named; absent = that is up to it, or, if it is hosted, the most used one of a language. */
  defaultVoices?: NamedDefaults | undefined;
  /** Somebody is there, and may want to hear a voice soon. */
  prepare?(): void;
}

type Composed = 'account' | 'languageVoices' | 'speech' | 'service' | 'shards' | 'canSpareCalls';

export interface ComposeOptions extends Omit<BotOptions, Composed>, Pick<AccountOptions, 'prices' | 'timing'> {
  /** The caller closes it, as it does the store and the cache. */
  client: ApiClient;
  service: BotVoiceService;
  /** Id of the voice to use if nobody has chosen one; absent = the service's own. */
  defaultVoice?: string | undefined;
  /** The most calls in flight at the service, of all processes together; `auto`, the default, is what the service allows. */
  concurrency?: number | 'auto';
  /** What is asked of the service. */
  sound: Pick<Parameters<typeof createSpeech>[0], 'format' | 'model' | 'streaming' | 'moods'>;
  cache: SpeechCache | null;
  /** Absent = this process is the whole bot. */
  others?: OtherProcesses | null;
}

/** Creates a bot that has not started. @throws StoreError if the store can't be read */
export async function composeBot(options: ComposeOptions): Promise<Bot> {
  const { client, service, prices, timing, sound, cache, others, concurrency = 'auto', ...rest } = options;
  const { store, log, metrics } = rest;
  const onChange = others?.setConcurrency ?? client.setConcurrency;
  const callLimit = await openCallLimit({ store, service: service.name, most: concurrency, onChange, log });
  client.followConcurrency(callLimit.note);
  others?.onReview(() => void callLimit.refresh());
  const account = await openAccount({ api: client, store, service: service.name, log, prices, timing, onBalance: metrics?.creditSeen });
  const warn = (message: string) => (error: unknown) => log.warn(describeError(error), message);
  const voiceOwners = createVoiceOwners(store);
  const defaultVoices = createDefaultVoices({ api: account.api, store, service: service.speechName, voiceOwners, log });
  const settings = createSettings(store);
  /** In which servers texts are spoken is known once the bot is created. */
  let bot: Bot | null = null;
  async function languageOf({ scope, language }: Pick<SpeechRequest, 'scope' | 'language'>): Promise<string> {
    if (language) return language;
    if (typeof scope !== 'object' || !('guildId' in scope)) return en.locale;
    const chosen = await settings.guild(scope.guildId).then(
      ({ language }) => language,
      () => null,
    );
    return chosen ?? bot?.client.guilds.cache.get(scope.guildId)?.preferredLocale ?? en.locale;
  }
  const speech = createSpeech({
    ...sound,
    delivery: service.isHosted === true && familyOf(sound.model) !== 'unknown',
    api: account.api,
    cache,
    owners: createSoundOwners(store, warn('the owner of cached speech could not be saved')),
    levels: createVoiceLevels(store, service.speechName, warn('the loudness of a voice could not be read or saved')),
    accessOf: voiceOwners.accessOf,
    defaultVoices: service.isHosted
      ? {
          for: async (request) => ({ id: await defaultVoices.for(await languageOf(request)), isStandIn: false }),
          replace: async (request, id) => defaultVoices.replace(await languageOf(request), id),
        }
      : service.defaultVoices,
    slowVoices: service.slowVoices,
    ...(others && { shareDeletion: others.shareDeletion }),
  });
  await others?.followDeletions(speech, cache);
  bot = createBot({
    ...rest,
    ...others?.options,
    account,
    speech,
    service,
    canSpareCalls: () => callLimit.current() > 1,
    // Only of the built-in voices is it known what they speak.
    languageVoices: service.spokenScripts === undefined ? null : createLanguageVoices({ api: account.api }),
  });
  bot.client.on(Events.InteractionCreate, () => service.prepare?.());
  others?.opened(bot);
  return bot;
}
