// What the local Discord's page tells newcomers about Parley.
import type { FirstStep } from './discord/page/protocol.ts';

/** Also the application's description in Discord's sense, which is why it names nobody. */
export const description = 'Reads your messages aloud in voice channels, in a voice you choose, and turns recordings into text.';

/**
 * Where members would otherwise take the built-in engines for all that Parley can do; undefined if both are others.
 * @param hasOwn which engines the operator has set up instead @param natural whether natural voices keep up here; null if there are none
 */
export function describeEngines(
  hasOwn: { speech: boolean; transcription: boolean },
  natural: { keepsUp: boolean } | null,
): string | undefined {
  if (hasOwn.speech && hasOwn.transcription) return undefined;
  if (hasOwn.speech)
    return 'The speech recognition here runs on this machine and knows only English. For other languages, set LOCAL_TRANSCRIPTION_URL in the file .env and restart Parley.';
  const voices = natural?.keepsUp
    ? 'The voices here run on this machine'
    : natural
      ? 'The voices here run on this machine. Most are simple stand-ins; the natural ones, tagged “slow”, take this computer a while'
      : 'The voices here are simple stand-ins that run on this machine';
  const wanted = natural?.keepsUp ? 'other languages' : 'better voices and other languages';
  if (hasOwn.transcription)
    return `${voices}. They know only English. For ${wanted}, set LOCAL_SPEECH_URL in the file .env and restart Parley.`;
  return `${voices}. They know only English, and so does the speech recognition. For ${wanted}, connect a voice service: set VOICE_API_URL and VOICE_API_KEY in the file .env and restart Parley.`;
}

/** Told once, after their speed has been measured. */
export const naturalVoicesNews = 'Natural voices are now available. Type /voices to hear them.';

/** After the last of the first steps. */
export const farewell =
  'That’s the tour. /help shows what else there is. To use Parley in a server of your own, set DISCORD_TOKEN in the file .env and restart it.';

export const firstSteps: FirstStep[] = [
  { kind: 'join_voice' },
  { kind: 'command', label: 'Say hello', command: 'say', fill: { text: 'Hello! This is what I sound like.' } },
  // Not `/say` with a voice, which would be remembered: a newcomer would never hear the natural voices that are there a minute later.
  { kind: 'command', label: 'Browse the voices', command: 'voices' },
  { kind: 'record', label: 'Record a voice message' },
  { kind: 'message_command', label: 'Turn it into text', command: 'Transcribe' },
  { kind: 'talk', label: 'Try captions', command: 'captions start' },
  { kind: 'command', label: 'Have this channel read aloud', command: 'read start', fill: {} },
];

/** **Caption me** below the panel of captions: those who talk on the page agree to be captioned. */
export const talkersPress = 'captions:on';
