// What a voice says in place of what it cannot say, and around a message that is read aloud, in Polish.
import type { Words } from '../words.ts';
import { format } from './format.ts';

export const heard: Words['heard'] = {
  inPlace: { link: 'link', spoiler: 'spoiler', someone: 'ktoś', role: 'rola', channel: 'kanał' },
  code: 'kod',
  linkTo: (site) => `link do ${site}`,
  messageLink: 'link do wiadomości',
  gif: 'GIF',
  repeated: (emoji, count) => `${emoji} ${format.plural(count, { one: '# raz', other: '# razy' })}`,

  says: (name, text) => `${name} mówi: ${text}`,
  saysTo: (name, to, text) => `${name} do ${to}: ${text}`,
  to: (to, text) => `do ${to}: ${text}`,
  sends: (name, what) => `${name} wysyła: ${what}`,
  with: (what) => `do tego ${what}`,
  forwarded: (text) => `przekazana wiadomość: ${text}`,
  forwardedUnread: 'przekazana wiadomość',
  pictures: (count) => format.plural(count, { one: 'obraz', few: '# obrazy', many: '# obrazów', other: '# obrazu' }),
  gifs: (count) => format.plural(count, { one: 'GIF', few: '# GIF-y', many: '# GIF-ów', other: '# GIF-a' }),
  videos: (count) => format.plural(count, { one: 'film', few: '# filmy', many: '# filmów', other: '# filmu' }),
  sounds: (count) => format.plural(count, { one: 'nagranie', few: '# nagrania', many: '# nagrań', other: '# nagrania' }),
  files: (count) => format.plural(count, { one: 'plik', few: '# pliki', many: '# plików', other: '# pliku' }),
  voiceMessage: (seconds) => (seconds === null ? 'wiadomość głosowa' : `wiadomość głosowa, ${format.duration(seconds)}`),
  sticker: (name) => `naklejka ${name}`,
  poll: (question) => `ankieta: ${question}`,
  and: format.and,
  or: format.or,
};
