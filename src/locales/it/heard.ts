// What a voice says in place of what it cannot say, and around a message that is read aloud, in Italian.
import type { Words } from '../words.ts';
import { format } from './format.ts';

export const heard: Words['heard'] = {
  inPlace: { link: 'link', spoiler: 'spoiler', someone: 'qualcuno', role: 'un ruolo', channel: 'un canale' },
  code: 'codice',
  linkTo: (site) => `un link a ${site}`,
  messageLink: 'un link a un messaggio',
  gif: 'una GIF',
  repeated: (emoji, count) => `${emoji} ${format.number(count)} volte`,

  says: (name, text) => `${name} dice: ${text}`,
  saysTo: (name, to, text) => `${name} a ${to}: ${text}`,
  to: (to, text) => `a ${to}: ${text}`,
  sends: (name, what) => `${name} invia ${what}`,
  with: (what) => `con ${what}`,
  forwarded: (text) => `un messaggio inoltrato: ${text}`,
  forwardedUnread: 'un messaggio inoltrato',
  pictures: (count) => format.plural(count, { one: 'un’immagine', other: '# immagini' }),
  gifs: (count) => format.plural(count, { one: 'una GIF', other: '# GIF' }),
  videos: (count) => format.plural(count, { one: 'un video', other: '# video' }),
  sounds: (count) => format.plural(count, { one: 'un file audio', other: '# file audio' }),
  files: (count) => format.plural(count, { one: 'un file', other: '# file' }),
  voiceMessage: (seconds) => (seconds === null ? 'un messaggio vocale' : `un messaggio vocale di ${format.duration(seconds)}`),
  sticker: (name) => `l’adesivo ${name}`,
  poll: (question) => `un sondaggio: ${question}`,
  and: format.and,
  or: format.or,
};
