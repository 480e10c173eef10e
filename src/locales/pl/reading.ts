// What /read, Read this aloud and Stop reading this member say, and the section of /settings for reading, in Polish.
import { bold, channelMention, inlineCode, roleMention, userMention } from 'discord.js';
import type { Words } from '../words.ts';
import { code, format } from './format.ts';

const start = inlineCode('/read start');
const stop = inlineCode('/read stop');
const settings = inlineCode('/settings');
const channels = (ids: readonly string[]) => format.and(ids.map(channelMention));

export const reading: Words['reading'] = {
  noAccess: `Discord nie pozwala mi czytać wiadomości. Właściciel bota może włączyć ${bold('Message Content Intent')} w portalu dla deweloperów i uruchomić mnie ponownie. Do tego czasu mogę czytać tylko pojedyncze wiadomości, przez ${bold('Read this aloud')}.`,
  notInGuild: 'Kanały mogę czytać tylko na serwerach, do których należę. Poproś administratora, żeby mnie tu dodał.',
  notAllowed: (roles) =>
    roles.length === 0
      ? `Aby włączyć lub wyłączyć czytanie, potrzebujesz uprawnienia ${bold('Zarządzanie serwerem')}. Administratorzy mogą pozwolić na to innym rolom w ${settings}.`
      : `Aby włączyć lub wyłączyć czytanie, potrzebujesz uprawnienia ${bold('Zarządzanie serwerem')} albo roli ${format.or(roles.map(roleMention))}. Administrator może nadać ci tę rolę.`,
  privateThread: `Nie czytam na głos prywatnych wątków, bo usłyszałyby je osoby, których nie zaproszono. Użyj ${start} na kanale.`,
  noVoiceChannel: `Nie jesteś na kanale głosowym. Dołącz do jakiegoś albo wybierz go w ${inlineCode('voice_channel')}.`,
  cannotSeeVoice: 'Nie widzisz tego kanału głosowego. Wybierz inny.',
  cannotSeeText: (id) => `Nie widzisz kanału ${channelMention(id)}, więc nie możesz kazać go czytać.`,
  iCannotSee: (id) =>
    `Nie widzę, co jest pisane na ${channelMention(id)}. Administrator serwera może mi tam przyznać ${bold('Wyświetlanie kanału')}.`,
  alreadyReading: (text, voice) => `Już czytam ${channelMention(text)} na głos na ${channelMention(voice)}.`,
  readingElsewhere: (texts, voice) =>
    `Na ${channelMention(voice)} ktoś słucha, jak czytam ${channels(texts)}, a mogę być tylko na jednym kanale głosowym naraz. Najpierw użyj ${stop} albo wybierz tamten kanał głosowy.`,
  exposed: (who, text, voice) =>
    `${bold('Usłyszałyby to osoby, które nie widzą tego kanału.')}\nMogą dołączyć do ${channelMention(voice)}, ale nie widzą ${channelMention(text)}: ${format.and(who)}. Czytać mimo to?`,
  everyone: 'wszyscy',
  others: (count) => format.plural(count, { one: '# inna osoba lub rola', few: '# inne', many: '# innych', other: '# innej' }),
  startAnyway: 'Czytaj mimo to',
  cancel: 'Anuluj',
  cancelled: 'Dobrze, nie czytam go.',
  startedAnyway: 'Dobrze, czytam go.',
  started: (member, text, voice) =>
    `${userMention(member)} włącza czytanie na głos: to, co jest pisane na ${channelMention(text)}, czytam teraz wszystkim na ${channelMention(voice)}.`,
  resumed: (member, text, voice) =>
    `${userMention(member)} przywołuje mnie z powrotem: znów czytam wszystkim na ${channelMention(voice)} to, co jest pisane na ${channelMention(text)}.`,
  optOut: `Nie chcesz, żeby twoje wiadomości były czytane? Użyj ${inlineCode('/read me off')}.`,
  skipOne: (prefix) => `Pojedynczą wiadomość pominę, jeśli zacznie się od ${code(prefix)}.`,
  stopped: (member, texts) => `${userMention(member)} wyłącza czytanie na głos: ${channels(texts)}.`,
  stoppedAlways: `Ustawiono, że ma być czytany zawsze, więc wrócę, gdy wszyscy opuszczą kanał głosowy i ktoś znów dołączy. Administratorzy mogą to zmienić w ${settings}.`,
  notReading: `Nie czytam na głos żadnego kanału. Zacznij od ${start}.`,
  stillReading: `Nowe wiadomości czytam dalej. Aby to zakończyć, użyj ${stop}.`,
  pausedReading: `Wrócę do czytania, gdy wszyscy opuszczą kanał głosowy i ktoś znów dołączy, albo po ${start}.`,
  leaveStops: (texts) => `Czytam tu na głos ${channels(texts)}, a po moim wyjściu to by się skończyło.`,
  meOff: (dropped) =>
    dropped === 0
      ? 'Gotowe. Nie będę czytać twoich wiadomości na głos na żadnym serwerze.'
      : `Gotowe. Nie będę czytać twoich wiadomości na głos na żadnym serwerze. ${format.plural(dropped, {
          one: 'Z kolejki zniknęła # wiadomość.',
          few: 'Z kolejki zniknęły # wiadomości.',
          many: 'Z kolejki zniknęło # wiadomości.',
          other: 'Z kolejki zniknęło # wiadomości.',
        })}`,
  meOn: 'Gotowe. Znów czytam twoje wiadomości na głos tam, gdzie jest to włączone.',
  mutedHere: `Na tym serwerze moderator wyłączył czytanie twoich wiadomości. Poproś administratora: może to cofnąć przez ${bold('Stop reading this member')} albo w ${settings}.`,
  authorOptedOut: (id) => `${userMention(id)} nie chce, żeby czytać jego wiadomości na głos.`,
  authorMuted: (id) => `Czytanie wiadomości użytkownika ${userMention(id)} jest na tym serwerze wyłączone.`,
  nothingToRead: 'W tej wiadomości nie ma nic, co mogę przeczytać. Wybierz taką, w której są słowa.',
  messageGone: 'Wiadomość usunięto, zanim udało mi się ją przeczytać.',
  readsMessage: (author, link) => `Prosi o przeczytanie [wiadomości](${link}) użytkownika ${userMention(author)}`,
  muted: (id) =>
    `Gotowe. Nie czytam już wiadomości użytkownika ${userMention(id)}, który nie może też używać ${inlineCode('/say')}. Administratorzy mogą to cofnąć tym poleceniem albo w ${settings}.`,
  unmuted: (id) => `Gotowe. Znów czytam wiadomości użytkownika ${userMention(id)}, który może używać ${inlineCode('/say')}.`,
  onlyAdminsUnmute: (id) =>
    `Już nie czytam wiadomości użytkownika ${userMention(id)}. Cofnąć to mogą tylko administratorzy, tym poleceniem albo w ${settings}.`,
  cannotMuteMe: 'Własnych wiadomości nie czytam. Wybierz kogoś innego.',
  status: {
    title: 'Czytanie na głos',
    reads: (text, voice) => `Czytam ${channelMention(text)} na ${channelMention(voice)}.`,
    readsAlways: (text, voice) => `Zawsze czytam ${channelMention(text)} na ${channelMention(voice)}.`,
    paused: {
      leave: `Teraz nie czytam: ktoś wyprosił mnie z kanału głosowego poleceniem ${inlineCode('/leave')}. Wrócę, gdy wszyscy go opuszczą i ktoś znów dołączy, albo po ${start}.`,
      disconnect: `Teraz nie czytam: moderator rozłączył mnie z kanałem głosowym. Wrócę, gdy wszyscy go opuszczą i ktoś znów dołączy, albo po ${start}.`,
    },
    stopped: (texts) =>
      `Zawsze czytam ${channels(texts)}, ale ktoś to wyłączył poleceniem ${stop}. Wrócę, gdy wszyscy opuszczą kanał głosowy i ktoś znów dołączy, albo po ${start}.`,
    nothing: `Nie czytam na głos żadnego kanału. Użyj ${start} na tym, który mam czytać.`,
    nothingWaits: 'Nic nie czeka',
    waiting: (messages, delay) =>
      `${format.plural(messages, { one: 'Czeka # wiadomość', few: 'Czekają # wiadomości', many: 'Czeka # wiadomości', other: 'Czeka # wiadomości' })}; opóźnienie nowej: mniej więcej ${format.duration(delay)}`,
    faster: (factor) => `Mówię ${format.number(factor, 1)} raza szybciej, żeby nadążyć`,
    nameless: 'Pomijam imiona, żeby nadążyć',
    skipped: (count) =>
      format.plural(count, {
        one: 'Pominięto # wiadomość, żeby nadążyć',
        few: 'Pominięto # wiadomości, żeby nadążyć',
        many: 'Pominięto # wiadomości, żeby nadążyć',
        other: 'Pominięto # wiadomości, żeby nadążyć',
      }),
    left: (characters, resets) =>
      characters === null
        ? 'Ten serwer nie ma dziennego limitu'
        : `Dziś zostało temu serwerowi: ${format.plural(characters, { one: '# znak', few: '# znaki', many: '# znaków', other: '# znaku' })} (odnowi się ${resets})`,
    usedUp: (resets) => `Ten serwer wykorzystał już dzisiejszą mowę. Wróci ${resets}.`,
    optedOut: `Nie chcesz być czytany, więc nie czytam twoich wiadomości. Cofniesz to przez ${inlineCode('/read me on')}.`,
    slowVoice: (title) => `Głos ${title} jest na tym komputerze za wolny do czytania na głos, więc czytam twoje wiadomości innym głosem.`,
    problem: (sentence, at) => `Ostatni problem, ${at}: ${sentence}`,
    titles: { now: 'W tej chwili', here: 'Na', you: 'Ty' },
    viewChannelNext: 'bez tego nie dostaję wiadomości; administrator serwera może na to pozwolić',
    optional: {
      SendMessages: 'bez tego nie mogę tu napisać, dlaczego czegoś nie słychać',
      AddReactions: 'bez tego nie mogę oznaczać wiadomości, których nie słychać',
      ReadMessageHistory: 'bez tego nie mogę oznaczać wiadomości, których nie słychać, ani czytać przekazanych',
    },
    permissionNames: {
      SendMessages: 'Wysyłanie wiadomości',
      AddReactions: 'Dodawanie reakcji',
      ReadMessageHistory: 'Czytanie historii czatu',
    },
  },
  panel: {
    always: 'Zawsze czytane',
    pair: (text, voice) => `${text} na ${voice}`,
    alwaysMenu: 'Czytaj zawsze: wybierz kanał głosowy',
    textMenu: 'Kanały tekstowe zawsze tam czytane',
    who: {
      everyone: 'Czytaj wiadomości wszystkich',
      listeners: 'Tylko osób na kanale głosowym',
    },
    optionsMenu: 'Bez imion, botów i reakcji',
    options: {
      names: { label: 'Mów, kto pisze', description: 'Raz, gdy zaczyna pisać ktoś inny' },
      bots: { label: 'Czytaj boty', description: 'Także wiadomości innych botów i webhooków' },
      reactions: { label: 'Oznaczaj to, czego nie słychać', description: 'Reakcją na wiadomość' },
    },
    roles: 'Czytane role',
    rolesMenu: 'Czytane role (brak = wszyscy)',
    readerRoles: 'Mogą włączać i wyłączać czytanie',
    readerRolesMenu: 'Inne role, które to mogą',
    adminsOnly: 'tylko administratorzy',
    delay: 'Nową wiadomość słychać w ciągu',
    seconds: (count) => format.plural(count, { one: '# sekundy', few: '# sekund', many: '# sekund', other: '# sekundy' }),
    prefix: 'Nieczytane, jeśli zaczyna się od',
    formTitle: 'Czytanie na głos',
    delayLabel: 'Sekundy, zanim słychać wiadomość',
    delayHint: (least, most, usual) =>
      `Od ${format.number(least)} do ${format.number(most)}. Puste = ${format.number(usual)}. Gdy jest ich więcej, część pomijam.`,
    prefixLabel: 'Pomijaj wiadomości zaczynające się od',
    prefixHint: 'Puste = czytaj wszystkie wiadomości',
  },
};

// What is said while a channel is read aloud, in Polish.

export const readingNotices: Words['readingNotices'] = {
  skipped: (count) =>
    format.plural(count, {
      one: 'Pominięto # wiadomość.',
      few: 'Pominięto # wiadomości.',
      many: 'Pominięto # wiadomości.',
      other: 'Pominięto # wiadomości.',
    }),
  goesOn: 'Gdy znów zacznie działać, będę czytać dalej nowe wiadomości.',
  mostUsed: (share, left) =>
    format.plural(left, {
      one: `Ten serwer wykorzystał już ${format.percent(share)} dzisiejszego limitu mowy. Został # znak na czytanie na głos i ${inlineCode('/say')}.`,
      few: `Ten serwer wykorzystał już ${format.percent(share)} dzisiejszego limitu mowy. Zostały # znaki na czytanie na głos i ${inlineCode('/say')}.`,
      many: `Ten serwer wykorzystał już ${format.percent(share)} dzisiejszego limitu mowy. Zostało # znaków na czytanie na głos i ${inlineCode('/say')}.`,
      other: `Ten serwer wykorzystał już ${format.percent(share)} dzisiejszego limitu mowy. Zostało # znaku na czytanie na głos i ${inlineCode('/say')}.`,
    }),
  channelGone: 'Kanał głosowy już nie istnieje, więc ten kanał nie jest już czytany na głos.',
};

// What a voice says in place of what it cannot say, and around a message that is read aloud, in Polish.

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
