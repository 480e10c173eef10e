// Which attachments are recordings, by what Discord says about them.
import type { Attachment } from 'discord.js';

const AUDIO_EXTENSIONS = /\.(mp3|wav|ogg|oga|opus|flac|m4a|mp4|mov|webm|mkv|aac|aiff?|wma)$/i;

/** Voice messages, and files that are called audio or video. */
export function isRecording({ contentType, name, duration }: Pick<Attachment, 'contentType' | 'name' | 'duration'>): boolean {
  return duration !== null || /^(audio|video)\//.test(contentType ?? '') || AUDIO_EXTENSIONS.test(name);
}
