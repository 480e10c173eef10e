// What any command may say, in Polish.
import { bold, channelMention, inlineCode, roleMention, userMention } from 'discord.js';
import type { Words } from '../words.ts';
import { code, format } from './format.ts';

export const general: Words['general'] = {
  interruptedByRestart: 'Uruchomiono mnie ponownie, zanim to było gotowe. Poproś jeszcze raz.',
  toMember: (userId, sentence) => `${userMention(userId)}: ${sentence}`,
  restarting: 'Właśnie uruchamiam się ponownie. Spróbuj za minutę.',
  unknownCommand: 'Nie mam już tego polecenia. Odśwież Discorda, żeby zobaczyć, co mam teraz.',
  unreadableInteraction: 'Nie rozumiem tego, co przysłał mi Discord. Spróbuj ponownie albo odśwież Discorda.',
  started: 'Już się robi.',
  directHint: `Rozumiem tylko polecenia. Wpisz ${inlineCode('/')}, żeby je zobaczyć, albo użyj ${inlineCode('/help')}.`,
  expiredMessage: 'Ta wiadomość jest nieaktualna. Użyj polecenia ponownie.',
  notYourButtons: (command) => `Tych przycisków może używać tylko osoba, która pytała. Użyj ${inlineCode(command)}, żeby mieć swoje.`,
  previousPage: '‹ Poprzednia',
  nextPage: 'Następna ›',
};

// Refusals: members who may not use Parley, or not here, and those who ask too fast; in Polish.

const settings = inlineCode('/settings');
const isShort = (ids: readonly string[]) => ids.length <= 5;

export const access: Words['access'] = {
  muted: (isAdmin) =>
    isAdmin
      ? `${inlineCode('/say')} jest tu dla ciebie wyłączone. Możesz włączyć je z powrotem w ${settings}.`
      : `Administrator serwera wyłączył ci ${inlineCode('/say')}.`,
  roles: (ids) =>
    isShort(ids)
      ? `Używać mnie tutaj mogą tylko osoby z rolą ${format.or(ids.map(roleMention))}. Administrator serwera może nadać ci tę rolę.`
      : 'Używać mnie tutaj mogą tylko osoby z określonymi rolami. Administrator serwera może nadać ci jedną z nich.',
  channels: (ids) =>
    isShort(ids)
      ? `Tutaj działam tylko na ${format.or(ids.map(channelMention))}. Spróbuj tam.`
      : 'Tutaj działam tylko na wybranych kanałach. Spróbuj na jednym z nich.',
  voiceChannels: (ids) =>
    isShort(ids)
      ? `Tutaj mówię tylko na ${format.or(ids.map(channelMention))}. Dołącz i spróbuj ponownie.`
      : 'Tutaj mówię tylko na wybranych kanałach głosowych. Dołącz do jednego z nich i spróbuj ponownie.',
  channelsGone: `Kanałów, na których wolno mi tu działać, już nie ma. Poproś administratora serwera, żeby wybrał inne w ${settings}.`,
  voiceChannelsGone: `Kanałów głosowych, na których wolno mi tu mówić, już nie ma. Poproś administratora serwera, żeby wybrał inne w ${settings}.`,
  tooFast: (again) => `To dla mnie trochę za szybko. Spróbuj ponownie ${format.relative(again)}.`,
};

// What is wrong with an attached file, in Polish.

export const attachments: Words['attachments'] = {
  notFromDiscord: (name) => `Pliku ${code(name)} nie ma na Discordzie, a czytam pliki tylko stamtąd. Prześlij sam plik.`,
  empty: (name) => `${code(name)} jest pusty. Prześlij go ponownie.`,
  tooLarge: (name, bytes, limit) =>
    `${code(name)} ma ${format.megabytes(bytes)}, a mogę przepisać najwyżej ${format.megabytes(limit)}. Podziel plik na części albo zapisz go jako MP3 lub Opus.`,
  notAudio: (name) => `Nie mogę odczytać ${code(name)} jako dźwięku. Użyj MP3, WAV, Ogg, Opus, FLAC, M4A lub WebM.`,
  downloadFailed: (name) => `Nie udało się pobrać ${code(name)} z Discorda. Spróbuj ponownie albo prześlij plik jeszcze raz.`,
  downloadGone: (name) =>
    `${code(name)} usunięto albo link wygasł po jednym dniu. Prześlij plik ponownie albo użyj ${inlineCode('Transcribe')} na jego wiadomości.`,
  downloadIncomplete: (name) => `${code(name)} urwał się w trakcie czytania. Spróbuj ponownie albo prześlij plik jeszcze raz.`,
  downloadOversized: (name) => `${code(name)} jest dłuższy, niż podaje Discord, więc nie czytam dalej. Prześlij go ponownie.`,
  downloadSlow: (name) => `Discord wysyła ${code(name)} zbyt wolno. Spróbuj później.`,
};

// Why the bot can't speak in a voice channel, in Polish.

export const voiceChannels: Words['voiceChannels'] = {
  permissionNames: { ViewChannel: 'Wyświetlanie kanału', Connect: 'Łączenie', Speak: 'Mówienie' },
  botNotInGuild: `Mówić mogę tylko na serwerach, do których należę. Wybierz „Wiadomość głosowa” w ${inlineCode('send_as')}, żeby mimo to dostać dźwięk.`,
  memberNotInVoice: `Nie jesteś na kanale głosowym. Dołącz do jakiegoś albo wybierz go w ${inlineCode('channel')}.`,
  botNotInVoice: `Nie jestem na kanale głosowym. Dołącz do jakiegoś i użyj ${inlineCode('/say')}, żeby mnie tam sprowadzić.`,
  stageChannel: (id) => `${channelMention(id)} to scena, a ja mówię tylko na kanałach głosowych. Wybierz kanał głosowy.`,
  memberCannotConnect: (id) => `Nie możesz dołączyć do ${channelMention(id)}, więc nie mogę tam dla ciebie mówić. Wybierz inny kanał.`,
  memberCannotSpeak: (id) => `Żebym mówił na ${channelMention(id)}, potrzebujesz tam uprawnienia ${bold('Mówienie')}. Wybierz inny kanał.`,
  memberServerMuted: 'Moderator wyciszył cię na kanałach głosowych tego serwera. Gdy to cofnie, znów będę dla ciebie mówić.',
  missingPermissions: (permissions, id) =>
    `Potrzebuję uprawnień: ${format.and(permissions.map((name) => bold(name)))} na ${channelMention(id)}. Administratorzy serwera mogą je przyznać w ustawieniach kanału.`,
  full: (id) => `${channelMention(id)} jest pełny. Poczekaj na wolne miejsce albo wybierz inny kanał.`,
};
