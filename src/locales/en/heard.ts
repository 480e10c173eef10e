// What a voice says in place of what it cannot say, and around a message that is read aloud. All of it is spoken, never shown.
import { format } from './format.ts';

export const heard = {
  /** In place of parts of a text. */
  inPlace: {
    link: 'link',
    spoiler: 'spoiler',
    /** Who isn’t known, or whose name can’t be spoken. */
    someone: 'someone',
    role: 'a role',
    channel: 'a channel',
  },
  /** In place of a piece of code in a message. */
  code: 'code',
  /** @param site "github.com" */
  linkTo: (site: string) => `a link to ${site}`,
  /** To another message in Discord. */
  messageLink: 'a link to a message',
  gif: 'a GIF',
  /** The same emoji several times in a row. @param emoji its name @param count at least 2 */
  repeated: (emoji: string, count: number) => (count === 2 ? `${emoji} twice` : `${emoji} ${format.number(count)} times`),

  says: (name: string, text: string) => `${name} says: ${text}`,
  /** A reply. @param to whose message it answers */
  saysTo: (name: string, to: string, text: string) => `${name} to ${to}: ${text}`,
  /** A reply of the member who spoke last, so without their name. */
  to: (to: string, text: string) => `to ${to}: ${text}`,
  /** A message without words of its own. @param what "a picture", "a link to github.com", the name of an emoji */
  sends: (name: string, what: string) => `${name} sends ${what}`,
  /** Follows the text of a message. @param what "a picture" */
  with: (what: string) => `with ${what}`,
  forwarded: (text: string) => `a forwarded message: ${text}`,
  /** Instead, if its author isn't read. */
  forwardedUnread: 'a forwarded message',
  pictures: (count: number) => format.plural(count, { one: 'a picture', other: '# pictures' }),
  gifs: (count: number) => format.plural(count, { one: 'a GIF', other: '# GIFs' }),
  videos: (count: number) => format.plural(count, { one: 'a video', other: '# videos' }),
  sounds: (count: number) => format.plural(count, { one: 'a sound', other: '# sounds' }),
  files: (count: number) => format.plural(count, { one: 'a file', other: '# files' }),
  /** @param seconds null if unknown */
  voiceMessage: (seconds: number | null) => (seconds === null ? 'a voice message' : `a voice message of ${format.duration(seconds)}`),
  sticker: (name: string) => `the sticker ${name}`,
  poll: (question: string) => `a poll: ${question}`,
  and: format.and,
  or: format.or,
};
