// The custom_ids of the buttons and menus of /say, and of the form behind one of them.
import { customId, part } from '../discord/custom-ids.ts';
import { MOODS, type Mood } from '../synthesis/index.ts';
import { roundSpeed, type VoiceOptions } from './context.ts';

/** What a text becomes, as in custom_ids: 's' = speech in a voice channel, 'm' = a voice message, 'f' = a file. */
export type Output = 's' | 'm' | 'f';

/** A mood takes one letter of a custom_id, because ids of voices need the room. */
const MOOD_LETTERS: Record<Mood, string> = {
  happy: 'h',
  excited: 'e',
  calm: 'c',
  sad: 's',
  angry: 'a',
  scared: 'f',
  whispering: 'w',
  shouting: 'l',
};

/** `manner:voice`. The manner is the speed, followed by the mood; a voice begins with a `=`. Ids of voices may contain anything. */
export const voiceOptions = {
  isRest: true,
  write({ voice, speed, mood }: VoiceOptions) {
    const manner = `${speed === null ? '' : roundSpeed(speed)}${mood ? MOOD_LETTERS[mood] : ''}`;
    return `${manner}:${voice === null ? '' : `=${voice}`}`;
  },
  read(written: string): VoiceOptions {
    const [manner = '', ...rest] = written.split(':');
    const voice = rest.join(':');
    const [, speed, letter] = /^([\d.]*)(\w?)$/.exec(manner) ?? [];
    const factor = Number(speed);
    return {
      voice: voice.startsWith('=') ? voice.slice(1) : null,
      speed: factor >= 0.5 && factor <= 2 ? factor : null,
      mood: MOODS.find((mood) => MOOD_LETTERS[mood] === letter) ?? null,
    };
  },
} as const;

/** An utterance that plays or waits, and what it takes to say it again. */
const live = {
  utterance: part.text,
  ownerId: part.text,
  textKey: part.optional(part.text),
  options: part.optional(voiceOptions),
};
export type LiveUtterance = NonNullable<ReturnType<typeof stopId.read>>;

/** Ends this utterance and, if it is playing, also its owner's waiting ones. */
export const stopId = customId('say-stop', live);
/** Ends only this utterance, even if it has just begun. */
export const cancelId = customId('say-cancel', live);
/** Ends only this utterance, whether it plays or waits. */
export const skipId = customId('say-skip', live);
/** A menu of `replay:textKey`, `file:textKey`, `message:textKey`, `show:textKey` and `more`. */
export const againId = customId('say-again', { ownerId: part.text, options: voiceOptions });
export const sayMoreId = customId('say-more', { ownerId: part.text, options: voiceOptions });
/** Below refusals that an earlier version has posted; refused-text.ts has those of this version. */
export const earlierEditId = customId('say-edit', { textKey: part.text, options: voiceOptions });
/** Below a question that only the member sees. */
export const confirmId = customId('say-confirm', {
  output: part.oneOf<Output>('s', 'm', 'f'),
  channelId: part.text,
  textKey: part.text,
  options: voiceOptions,
});
/** The form in which another text is written. */
export const sayMoreFormId = customId('say-more', { options: voiceOptions });
