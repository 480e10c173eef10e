// What a member wants said, and how it travels in the custom_id of a button or form, so that these work after a restart.
import { customId } from '../bot/discord-limits.ts';

export interface Wish {
  /** As it was typed. */
  text: string;
  /** `id` of the voice model; '' = the service's own voice; null = whichever is set for the member, the channel or the server. */
  voice: string | null;
  /** 0.5 to 2; null = as the member has it. */
  speed: number | null;
}

/** What a button carries of it: the text stands in the message. */
export type Manner = Omit<Wish, 'text'>;

/** A longer id fits into no custom_id: its messages go without the buttons that need it. */
const MAX_VOICE_ID = 60;

/** What may be typed for a voice: as long as a choice of autocomplete may be. */
export const MAX_VOICE = 100;

/** As long as a message may be; Discord itself takes no more. */
export const MAX_TEXT = 2000;

/** `prefix:part:speed:voice`, or null where the id of the voice is too long for that. The other parts are ids. */
export function mannerId(prefix: string, parts: string[], { voice, speed }: Manner): string | null {
  if ((voice?.length ?? 0) > MAX_VOICE_ID) return null;
  return customId(prefix, ...parts, speed === null ? '' : roundSpeed(speed), voice === null ? '' : `=${voice}`);
}

/** The end of such an id, as the dispatcher splits it. */
export function readManner([speed = '', ...voice]: string[]): Manner {
  const id = voice.join(':');
  const factor = Number(speed);
  return { voice: id.startsWith('=') ? id.slice(1) : null, speed: factor >= 0.5 && factor <= 2 ? factor : null };
}

/** Two decimals: nobody hears more. */
export function roundSpeed(speed: number): number {
  return Math.round(speed * 100) / 100;
}
