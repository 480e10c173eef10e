// What a voice says in place of what it cannot say, and around a message that is read aloud, in Spanish.
import type { Words } from '../words.ts';
import { format } from './format.ts';

export const heard: Words['heard'] = {
  inPlace: { link: 'enlace', spoiler: 'spoiler', someone: 'alguien', role: 'un rol', channel: 'un canal' },
  code: 'código',
  linkTo: (site) => `un enlace a ${site}`,
  messageLink: 'un enlace a un mensaje',
  gif: 'un GIF',
  repeated: (emoji, count) => `${emoji} ${format.number(count)} veces`,

  says: (name, text) => `${name} dice: ${text}`,
  saysTo: (name, to, text) => `${name} a ${to}: ${text}`,
  to: (to, text) => `a ${to}: ${text}`,
  sends: (name, what) => `${name} envía ${what}`,
  with: (what) => `con ${what}`,
  forwarded: (text) => `un mensaje reenviado: ${text}`,
  forwardedUnread: 'un mensaje reenviado',
  pictures: (count) => format.plural(count, { one: 'una imagen', other: '# imágenes' }),
  gifs: (count) => format.plural(count, { one: 'un GIF', other: '# GIF' }),
  videos: (count) => format.plural(count, { one: 'un vídeo', other: '# vídeos' }),
  sounds: (count) => format.plural(count, { one: 'un archivo de audio', other: '# archivos de audio' }),
  files: (count) => format.plural(count, { one: 'un archivo', other: '# archivos' }),
  voiceMessage: (seconds) => (seconds === null ? 'un mensaje de voz' : `un mensaje de voz de ${format.duration(seconds)}`),
  sticker: (name) => `el sticker ${name}`,
  poll: (question) => `una encuesta: ${question}`,
  and: format.and,
  or: format.or,
};
