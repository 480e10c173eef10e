// What /status says, in Polish.
import { bold, channelMention, inlineCode } from 'discord.js';
import type { Words } from '../words.ts';
import { format } from './format.ts';

const say = inlineCode('/say');
const settings = inlineCode('/settings');
const louder = `kliknij prawym przyciskiem moją nazwę na kanale głosowym i podnieś ${bold('Głośność użytkownika')}`;

export const status: Words['status'] = {
  notInGuild: `Nie ma tu serwera, do którego należę, więc nie ma też kanału głosowego. Użyj ${say}, a wyślę ci wiadomość głosową.`,
  notInVoice: `Nie jesteś na kanale głosowym. Dołącz do jakiegoś i użyj ${say}.`,
  speaksElsewhere: (id) => `Mówię na ${channelMention(id)}. Dołącz, żeby mnie usłyszeć.`,
  stage: (id) => `${channelMention(id)} to scena, a na scenach nie mogę mówić. Dołącz do kanału głosowego.`,
  serverDeaf: 'Moderator wyłączył ci dźwięk na tym serwerze. Poproś, żeby to cofnął.',
  selfDeaf: 'Masz wyłączony dźwięk. Kliknij słuchawki obok swojej nazwy.',
  elsewhere: (mine, theirs) =>
    `Mówię na ${channelMention(mine)}, a ty jesteś na ${channelMention(theirs)}. Dołącz do mnie albo poczekaj, aż skończę.`,
  missing: (permissions, id) =>
    `Potrzebuję uprawnień: ${format.and(permissions.map((name) => bold(name)))} na ${channelMention(id)}. Administrator serwera może je przyznać w ustawieniach kanału, możesz też wybrać inny kanał.`,
  serverMute: `Jestem wyciszony na tym serwerze, więc nikt mnie nie słyszy. Sprowadź mnie na kanał głosowy za pomocą ${say}; wtedy moderator może kliknąć prawym przyciskiem moją nazwę i cofnąć wyciszenie.`,
  full: (id) => `${channelMention(id)} jest pełny. Poczekaj, aż ktoś wyjdzie, albo wybierz inny kanał.`,
  silent: `Moja głośność na tym serwerze wynosi 0%. Administratorzy serwera mogą ją zwiększyć w ${settings}.`,
  underWay: {
    connecting: 'Właśnie dołączam do twojego kanału głosowego. Jeszcze kilka sekund.',
    encrypting: 'Jestem na twoim kanale głosowym i ustawiam szyfrowanie od końca do końca. Jeszcze kilka sekund.',
    reconnecting: 'Połączenie głosowe zostało przerwane, łączę się ponownie. Za kilka sekund mówię dalej.',
  },
  stuck: {
    connecting: 'Discord nie wpuszcza mnie na kanał głosowy. Spróbuj ponownie. Jeśli to nie pomoże, zmień region w ustawieniach kanału.',
    encrypting: 'Szyfrowanie od końca do końca nie działa na twoim kanale głosowym. Poproś wszystkich, żeby wyszli i weszli ponownie.',
    reconnecting: `Połączenie głosowe zostało przerwane i nie wraca. Użyj ${inlineCode('/leave')} i spróbuj ponownie.`,
  },
  moving: 'Przenoszę się na inną maszynę. Najpierw dokończę to, co mówię, a potem przejdę do reszty.',
  storeGone: `Nie mogę teraz zapisać ani odczytać swoich danych, więc ${say} nie działa. Spróbuj za minutę.\n-# Dla właściciela bota: sprawdź dysk albo wspólny magazyn danych.`,
  service: (problem) => `Usługa głosowa nie działa. ${problem}`,
  others: `Mówię dla kogoś innego, a w kolejce nie ma nic twojego. Nic nie słyszysz? W takim razie ${louder}.`,
  queued: (before) =>
    format.plural(before, {
      one: `Przed twoim tekstem jest jeszcze # inny. Zobacz ${inlineCode('/queue')}.`,
      few: `Przed twoim tekstem są jeszcze # inne. Zobacz ${inlineCode('/queue')}.`,
      many: `Przed twoim tekstem jest jeszcze # innych. Zobacz ${inlineCode('/queue')}.`,
      other: `Przed twoim tekstem jest jeszcze # innego. Zobacz ${inlineCode('/queue')}.`,
    }),
  speaking: `Właśnie mówię dla ciebie. Nic nie słyszysz? W takim razie ${louder} i sprawdź urządzenie wyjściowe w ustawieniach głosu.`,
  slow: (seconds) => `Wszystko działa, ale usługa głosowa jest powolna (${format.duration(seconds)}), więc mogę zacząć później.`,
  ready: `Wszystko działa i nic nie jest odtwarzane. Wypróbuj ${say}. Jeśli mnie nie słyszysz, ${louder}.`,
  titles: {
    here: 'Ten kanał',
    voice: 'Twój kanał głosowy',
    connection: 'Połączenie głosowe',
    you: 'Ty',
    service: 'Usługa głosowa',
    credit: 'Środki (widzą to tylko właściciele bota)',
    whole: 'Cały bot (widzą to tylko właściciele bota)',
  },
  good: (what) => `✓ ${what}`,
  bad: (what, next) => `✗ ${what}: ${next}`,
  permissionNext: 'administrator serwera może na to pozwolić',
  sendMessages: 'Wysyłanie wiadomości',
  sendMessagesNext: 'potrzebne tylko przy transkrypcjach dłuższych niż 15 minut; bez tego przychodzą w PW',
  viewChannel: 'Wyświetlanie kanału',
  notMuted: 'Nie jestem wyciszony',
  muted: 'Jestem wyciszony',
  mutedNext: 'moderator może to cofnąć',
  room: 'Jest dla mnie miejsce',
  isFull: 'Jest pełny',
  fullNext: 'poczekaj, aż ktoś wyjdzie',
  noChannel: 'Żaden. Dołącz do jakiegoś, żeby mnie usłyszeć.',
  isStage: 'To scena. Dołącz do kanału głosowego.',
  hears: 'Masz włączony dźwięk',
  deaf: 'Masz wyłączony dźwięk',
  selfDeafNext: 'kliknij słuchawki obok swojej nazwy',
  serverDeafNext: 'poproś moderatora, żeby to cofnął',
  allowed: `Możesz tu używać ${say}`,
  notAllowed: `Nie możesz tu używać ${say}`,
  notConnected: 'Jeszcze go nie ma. Połączę się, gdy użyjesz /say.',
  connection: {
    connecting: (channel, since) => `${channel}, dołączanie od: ${since}`,
    encrypting: (channel, since) => `${channel}, ustawianie szyfrowania od: ${since}`,
    ready: (channel, since) => `${channel}, połączono ${since}`,
    reconnecting: (channel, since) => `${channel}, przerwano ${since}`,
    closed: (channel, since) => `${channel}, zakończono ${since}`,
  },
  movingFrom: (channel) => `${channel}, przenoszenie na inną maszynę`,
  encrypted: 'Szyfrowane od końca do końca',
  notEncrypted: 'Bez szyfrowania od końca do końca',
  notEncryptedNext: 'nie ma tam nikogo innego albo Discord wyłączył je w tej rozmowie',
  unheard: (members) =>
    `Nie mogę odszyfrować dźwięku ${format.plural(members, { one: '# osoby', few: '# osób', many: '# osób', other: '# osoby' })}`,
  unheardNext: 'może pomóc wyjście z kanału głosowego i ponowne dołączenie',
  ping: (ms) => `Ping: ${format.number(ms)} ms`,
  queueLength: (length) =>
    `Kolejka: ${length === 0 ? 'pusta' : format.plural(length, { one: '# tekst', few: '# teksty', many: '# tekstów', other: '# tekstu' })}`,
  volumeIs: (volume) => `Głośność: ${format.percent(volume)}`,
  answered: (ms) => `Odpowiedziała w ${format.number(ms)} ms`,
  fewSessions: (left, until) =>
    `Uruchamiano mnie ponownie tak często, że do ${until} Discord pozwoli mi połączyć się jeszcze tylko ${format.plural(left, { one: '# raz', few: '# razy', many: '# razy', other: '# razu' })}. Potem do tego czasu nie będzie mnie online. W moim dzienniku jest napisane, dlaczego mnie uruchamiano.`,
  noCatalogue: 'Nie ma listy głosów, więc nie mogę jej sprawdzić bez zużycia środków.',
  noAnswer: (seconds) =>
    `Nie odpowiedziała w ciągu ${format.plural(seconds, { one: '# sekundy', few: '# sekund', many: '# sekund', other: '# sekundy' })}. Spróbuj za minutę. Jeśli to się powtarza, powiadom właściciela bota.`,
  wholeBot: {
    processes: (count) => format.plural(count, { one: '# proces', few: '# procesy', many: '# procesów', other: '# procesu' }),
    shards: (count) => format.plural(count, { one: '# shard', few: '# shardy', many: '# shardów', other: '# sharda' }),
    servers: (count) => format.plural(count, { one: '# serwer', few: '# serwery', many: '# serwerów', other: '# serwera' }),
    speakingIn: (count) => `mówi na ${format.number(count)}`,
    free: (list, count) => `Żaden proces nie ma ${format.plural(count, { one: `sharda ${list}`, other: `shardów ${list}` })}`,
    freeNext: `tamtejsze serwery nie dostają odpowiedzi; jeśli to potrwa, uruchom kolejny proces albo zwiększ ${inlineCode('SHARDS_PER_PROCESS')}`,
    moving: (list, count) => `W drodze do innego procesu: ${format.plural(count, { one: `shard ${list}`, other: `shardy ${list}` })}`,
    shardList: (list, count) => format.plural(count, { one: `shard ${list}`, other: `shardy ${list}` }),
    noShards: 'brak shardów',
    started: (since) => `uruchomiony ${since}`,
    answersHere: (shard) => `odpowiada tutaj (shard ${format.number(shard)})`,
    leaving: 'kończy pracę',
    serviceDown: 'nie może się połączyć z usługą głosową',
    more: (count) =>
      format.plural(count, { one: 'i # inny proces', few: 'i # inne procesy', many: 'i # innych procesów', other: 'i # innego procesu' }),
    unknown: 'Nie mogę teraz odczytać wspólnego magazynu danych, więc nie wiem, co z innymi procesami.',
  },
};
