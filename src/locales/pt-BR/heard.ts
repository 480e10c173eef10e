// What a voice says in place of what it cannot say, and around a message that is read aloud, in Brazilian Portuguese.
import type { Words } from '../words.ts';
import { format } from './format.ts';

export const heard: Words['heard'] = {
  inPlace: { link: 'link', spoiler: 'spoiler', someone: 'alguém', role: 'um cargo', channel: 'um canal' },
  code: 'código',
  linkTo: (site) => `um link para ${site}`,
  messageLink: 'um link para uma mensagem',
  gif: 'um GIF',
  repeated: (emoji, count) => `${emoji} ${format.number(count)} vezes`,

  says: (name, text) => `${name} diz: ${text}`,
  saysTo: (name, to, text) => `${name} para ${to}: ${text}`,
  to: (to, text) => `para ${to}: ${text}`,
  sends: (name, what) => `${name} envia ${what}`,
  with: (what) => `com ${what}`,
  forwarded: (text) => `uma mensagem encaminhada: ${text}`,
  forwardedUnread: 'uma mensagem encaminhada',
  pictures: (count) => format.plural(count, { one: 'uma imagem', other: '# imagens' }),
  gifs: (count) => format.plural(count, { one: 'um GIF', other: '# GIFs' }),
  videos: (count) => format.plural(count, { one: 'um vídeo', other: '# vídeos' }),
  sounds: (count) => format.plural(count, { one: 'um áudio', other: '# áudios' }),
  files: (count) => format.plural(count, { one: 'um arquivo', other: '# arquivos' }),
  voiceMessage: (seconds) => (seconds === null ? 'uma mensagem de voz' : `uma mensagem de voz de ${format.duration(seconds)}`),
  sticker: (name) => `a figurinha ${name}`,
  poll: (question) => `uma enquete: ${question}`,
  and: format.and,
  or: format.or,
};
