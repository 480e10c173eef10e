// Custom emoji: where their pictures are, and how they are written in the message box.
import { emojiUrl } from './avatar.ts';
import { currentGuild, state } from './state.ts';

/** Servers other than those here have emoji whose pictures only Discord has. */
export function customEmojiUrl(id: string, name: string): string {
  const isKnown = state.guilds.some(({ emojis }) => emojis.some((emoji) => emoji.id === id));
  return isKnown ? `/emojis/${id}.png` : emojiUrl(id, name);
}

/** Turns each `:name:` of this server's emoji into what is sent for it, `<:name:id>`. */
export function encodeEmoji(text: string): string {
  const emojis = currentGuild()?.emojis ?? [];
  return text.replace(/<a?:\w+:\d+>|:(\w{2,32}):/g, (written, name?: string) => {
    const emoji = emojis.find((candidate) => candidate.name === name);
    return emoji ? `<:${emoji.name}:${emoji.id}>` : written;
  });
}

/** The other way round, for a message that is edited. */
export function decodeEmoji(text: string): string {
  const emojis = currentGuild()?.emojis ?? [];
  return text.replace(/<:(\w+):(\d+)>/g, (written, name: string, id: string) =>
    emojis.some((emoji) => emoji.id === id) ? `:${name}:` : written,
  );
}
