// What a voice says in place of what it cannot say, and around a message that is read aloud, in French.
import type { Words } from '../words.ts';
import { format } from './format.ts';

export const heard: Words['heard'] = {
  inPlace: { link: 'lien', spoiler: 'spoiler', someone: 'quelqu’un', role: 'un rôle', channel: 'un salon' },
  code: 'du code',
  linkTo: (site) => `un lien vers ${site}`,
  messageLink: 'un lien vers un message',
  gif: 'un GIF',
  repeated: (emoji, count) => `${emoji} ${format.number(count)} fois`,

  says: (name, text) => `${name} dit : ${text}`,
  saysTo: (name, to, text) => `${name} à ${to} : ${text}`,
  to: (to, text) => `à ${to} : ${text}`,
  sends: (name, what) => `${name} envoie ${what}`,
  with: (what) => `avec ${what}`,
  forwarded: (text) => `un message transféré : ${text}`,
  forwardedUnread: 'un message transféré',
  pictures: (count) => format.plural(count, { one: 'une image', other: '# images' }),
  gifs: (count) => format.plural(count, { one: 'un GIF', other: '# GIF' }),
  videos: (count) => format.plural(count, { one: 'une vidéo', other: '# vidéos' }),
  sounds: (count) => format.plural(count, { one: 'un fichier audio', other: '# fichiers audio' }),
  files: (count) => format.plural(count, { one: 'un fichier', other: '# fichiers' }),
  voiceMessage: (seconds) => (seconds === null ? 'un message vocal' : `un message vocal de ${format.duration(seconds)}`),
  sticker: (name) => `l’autocollant ${name}`,
  poll: (question) => `un sondage : ${question}`,
  and: format.and,
  or: format.or,
};
