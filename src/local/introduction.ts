// Parley's local Discord: what its page tells newcomers, in their language, and who else is there.
import { GatewayIntentBits } from 'discord-api-types/v10';
import { joinSentences } from '../locales/format.ts';
import { translatorFor } from '../locales/index.ts';
import type { Translator } from '../locales/translator.ts';
import type { LocalDiscordOptions } from './discord/index.ts';
import type { Texts } from './discord/page/protocol.ts';
import type { ServiceVoices } from './voice-service/index.ts';
import { SAMPLE_TEXTS } from './voice-service/sample-texts.ts';

/** The application's description in Discord's sense, which is why it names nobody. */
const description = 'Reads your messages aloud in voice channels, in a voice you choose, and turns recordings into text.';

interface Engines {
  /** Which engines the operator has set up instead; null = the voice service is another one. */
  hasOwn: { speech: boolean; transcription: boolean } | null;
  /** What speaks now; null = not known yet. */
  voices: ServiceVoices | null;
}

/** Everything the page says of Parley, as it is at this moment. @param locale of Discord */
export function introduce(locale: string, engines: Engines): Texts {
  const t = translatorFor(locale);
  return {
    description: t('page.description'),
    note: describeEngines(t, engines),
    farewell: t('page.farewell'),
    stepsTitles: {
      name: t('page.steps.title'),
      begin: t('page.steps.begin'),
      next: t('page.steps.next'),
      dismiss: t('page.steps.dismiss'),
    },
    firstSteps: [
      { kind: 'join_voice', label: t('page.steps.join', { channelName: '{channel}' }) },
      { kind: 'command', label: t('page.steps.hello'), command: 'say', fill: { text: greetingIn(locale, engines) } },
      // Not `/say` with a voice, which would be remembered in place of the default one.
      { kind: 'command', label: t('page.steps.voices'), command: 'voices' },
      { kind: 'record', label: t('page.steps.record') },
      { kind: 'message_command', label: t('page.steps.transcribe'), command: 'Transcribe' },
      { kind: 'talk', label: t('page.steps.captions'), command: 'captions start' },
      { kind: 'command', label: t('page.steps.read'), command: 'read start', fill: {} },
    ],
  };
}

/** In English, unless the voices are a hosted service's: the natural ones here know nothing else, and an engine of the operator's may not either. */
function greetingIn(locale: string, { hasOwn }: Engines): string {
  const english = SAMPLE_TEXTS.en as string;
  return (hasOwn ? null : SAMPLE_TEXTS[locale.split('-')[0] ?? '']) ?? english;
}

/** Where members would otherwise take the built-in engines for all that Parley can do; null if none of them is used. */
function describeEngines(t: Translator, { hasOwn, voices }: Engines): string | null {
  if (!hasOwn || (hasOwn.speech && hasOwn.transcription)) return null;
  if (hasOwn.speech)
    return joinSentences(t, t('page.onlyEnglish.recognition'), t('page.otherLanguages', { setting: 'LOCAL_TRANSCRIPTION_URL' }));
  const setting = hasOwn.transcription
    ? 'LOCAL_SPEECH_URL'
    : new Intl.ListFormat(t.locale, { type: 'conjunction' }).format(['VOICE_API_URL', 'VOICE_API_KEY']);
  const isBest = voices?.defaults?.natural?.speed.keepsUp ?? false;
  return joinSentences(
    t,
    describeVoices(t, voices),
    ...describeLanguages(t, voices?.isEnglishOnly ?? true, !hasOwn.transcription),
    isBest ? t('page.otherLanguages', { setting }) : t('page.better', { setting }),
  );
}

/** @param isRecogniserBuiltIn it knows only English */
function describeLanguages(t: Translator, areVoicesEnglish: boolean, isRecogniserBuiltIn: boolean): string[] {
  if (areVoicesEnglish) return [t(isRecogniserBuiltIn ? 'page.onlyEnglish.both' : 'page.onlyEnglish.voices')];
  return isRecogniserBuiltIn ? [t('page.onlyEnglish.recognition')] : [];
}

function describeVoices(t: Translator, voices: ServiceVoices | null): string {
  const { state, defaults, natural } = voices ?? {};
  if (state === 'measuring') return t('page.voices.measuring');
  if (state === 'absent') return t('page.voices.absent');
  if (defaults?.natural) return t(defaults.natural.speed.keepsUp ? 'page.voices.natural' : 'page.voices.short');
  return t(natural && !natural.keepsUp ? 'page.voices.slow' : 'page.voices.simple');
}

/** **Caption me** below the panel of captions: those who talk on the page agree to be captioned. */
const talkersPress = 'captions:on';

/** The options of Parley's local Discord: what its page says, and others to talk with. @param speak the voices of those who talk */
export const parleyOptions = (engines: () => Engines, speak: NonNullable<LocalDiscordOptions['speak']>) =>
  ({
    application: { name: 'Parley', description },
    introduce: (locale) => introduce(locale, engines()),
    speak,
    talkersPress,
    // Enough to try a conversation: the crowd on the page needs members other than the one who is looking.
    members: 4,
    // On real Discord, an operator enables this in the developer portal before they set READ_MESSAGES=on.
    privilegedIntents: GatewayIntentBits.MessageContent,
  }) satisfies LocalDiscordOptions;
