// What a voice says in place of what it cannot say, and around a message that is read aloud, in German.
import type { Words } from '../words.ts';
import { format } from './format.ts';

export const heard: Words['heard'] = {
  inPlace: { link: 'Link', spoiler: 'Spoiler', someone: 'jemand', role: 'eine Rolle', channel: 'ein Kanal' },
  code: 'Code',
  linkTo: (site) => `Link zu ${site}`,
  messageLink: 'Link zu einer Nachricht',
  gif: 'ein GIF',
  repeated: (emoji, count) => (count === 2 ? `zweimal ${emoji}` : `${format.number(count)} Mal ${emoji}`),

  says: (name, text) => `${name} sagt: ${text}`,
  saysTo: (name, to, text) => `${name} an ${to}: ${text}`,
  to: (to, text) => `an ${to}: ${text}`,
  sends: (name, what) => `${name} schickt: ${what}`,
  with: (what) => `dazu ${what}`,
  forwarded: (text) => `eine weitergeleitete Nachricht: ${text}`,
  forwardedUnread: 'eine weitergeleitete Nachricht',
  pictures: (count) => format.plural(count, { one: 'ein Bild', other: '# Bilder' }),
  gifs: (count) => format.plural(count, { one: 'ein GIF', other: '# GIFs' }),
  videos: (count) => format.plural(count, { one: 'ein Video', other: '# Videos' }),
  sounds: (count) => format.plural(count, { one: 'eine Audiodatei', other: '# Audiodateien' }),
  files: (count) => format.plural(count, { one: 'eine Datei', other: '# Dateien' }),
  voiceMessage: (seconds) => (seconds === null ? 'eine Sprachnachricht' : `eine Sprachnachricht, ${format.duration(seconds)}`),
  sticker: (name) => `der Sticker ${name}`,
  poll: (question) => `eine Umfrage: ${question}`,
  and: format.and,
  or: format.or,
};
