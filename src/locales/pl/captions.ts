// Captions of a voice channel, in Polish.
import { bold, channelMention, inlineCode, roleMention, userMention } from 'discord.js';
import type { Words } from '../words.ts';
import { format } from './format.ts';

const start = inlineCode('/captions start');
const privacyCommand = inlineCode('/privacy');
const captionMe = bold('Zapisuj mnie');
const stopMe = bold('Nie zapisuj mnie');

export const captions: Words['captions'] = {
  notInGuild: 'Napisy mogę robić tylko na kanałach głosowych serwerów, na których jestem. Najpierw mnie zaproś.',
  noVoiceChannel: `Nie wiem, o który kanał głosowy chodzi. Dołącz do niego albo użyj ${start} na jego czacie.`,
  noSpareCalls:
    'Nie mogę tu tworzyć napisów: wolno mi wykonywać tylko jedno wywołanie usługi głosowej naraz, a napisy zablokowałyby wszystko inne. Właściciel bota może ustawić `VOICE_API_CONCURRENCY` na co najmniej 2.',
  notAllowed: (roleIds) =>
    roleIds.length > 0
      ? `Napisy mogą tu włączać tylko osoby z rolą ${format.or(roleIds.map(roleMention))}. Rolę może ci dać administrator serwera.`
      : 'Napisy mogą tu włączać tylko osoby z określonymi rolami, a tych ról już nie ma. Poproś administratora serwera, żeby wybrał inne.',
  channelNotAllowed: (channelIds) =>
    channelIds.length > 0
      ? `Napisy są tu dozwolone tylko na ${format.or(channelIds.map(channelMention))}. Dołącz i spróbuj ponownie.`
      : `Kanałów głosowych, na których napisy są dozwolone, już nie ma. Poproś administratora serwera, żeby wybrał inne w ${inlineCode('/settings')}.`,
  missing: (permissions, channelId) =>
    `Żeby pisać napisy, potrzebuję uprawnień ${format.and(permissions.map((name) => bold(name)))} na ${channelMention(channelId)}. Administratorzy serwera mogą je dać w ustawieniach kanału.`,
  cannotConnect: (channelId) =>
    `Nie możesz dołączyć do ${channelMention(channelId)}, więc nie możesz włączyć tam napisów. Wybierz inny kanał głosowy.`,
  alreadyOn: (link) => `Napisy są już włączone: ${link}`,
  elsewhere: (channelId) =>
    `Robię napisy na ${channelMention(channelId)}, a mogę być tylko na jednym kanale głosowym. Spróbuj ponownie, gdy tam się skończą.`,
  started: (link) => `Napisy są włączone: ${link}\nSłyszę tylko osoby, które nacisną tam ${captionMe}.`,
  notOn: `Na tym serwerze napisy nie są włączone. Włącza je ${start}.`,
  mayNotStop: (starterId) =>
    `Napisy może wyłączyć ${userMention(starterId)} (to ta osoba je włączyła), moderator albo ostatnia zapisywana osoba. Jeśli chodzi tylko o ciebie, naciśnij ${stopMe}.`,
  stopped: 'Gotowe. Napisy są wyłączone.',
  leaveStops: 'Robię napisy na tym kanale głosowym i moje wyjście by je zakończyło.',

  title: (channelId) => `Napisy z ${channelMention(channelId)}`,
  what: `To, co się tam mówi, zapisuję tutaj, żeby każdy mógł przeczytać. Słyszę tylko osoby, które nacisną ${captionMe}: dźwięk pozostałych nie jest nawet odszyfrowywany.`,
  sound: (host) =>
    host === null
      ? 'Dźwięk każdego zdania trafia do usługi głosowej na moim własnym komputerze i nikt go nie przechowuje. Słowa są tylko w moich wiadomościach tutaj.'
      : `Dźwięk każdego zdania trafia do usługi głosowej ${inlineCode(host)}, bez twojego imienia. Nie przechowuję go. Słowa są tylko w moich wiadomościach tutaj.`,
  consent: (isKept) =>
    isKept
      ? `Jeśli się zgodzisz, pamiętam to na tym serwerze przez 90 dni albo do naciśnięcia ${stopMe}.`
      : 'Pytam za każdym razem: gdy te napisy się skończą, zapominam, kto się zgodził.',
  startedBy: (memberId) => `Kto włączył: ${userMention(memberId)}`,
  captioned: (memberIds, more) =>
    `${bold('Zapisuję:')} ${memberIds.length === 0 ? 'na razie nikogo' : [...memberIds.map(userMention), ...(more > 0 ? [`i jeszcze ${format.number(more)}`] : [])].join(' ')}`,
  unheard: (memberIds) =>
    `⚠️ ${bold('Nie słyszę:')} ${memberIds.map(userMention).join(' ')}. Dźwięku nie da się odszyfrować; zwykle pomaga wyjście z kanału głosowego i ponowne wejście.`,
  outOfBudget: (memberId, at) =>
    `⚠️ ${userMention(memberId)} ma wyczerpany dzienny limit transkrypcji. Napisy wrócą ${format.relative(at)}.`,
  serverOutOfBudget: (at) => `⚠️ Ten serwer wyczerpał dzienny limit transkrypcji. Napisy wrócą ${format.relative(at)}.`,
  cost: (seconds, cost) =>
    `Dotychczas: ${format.duration(seconds)} mowy, z limitów osób, które mówiły${cost === null ? '' : `, około ${format.significant(cost)} środków`}`,
  captionButton: 'Zapisuj mnie',
  stopButton: 'Nie zapisuj mnie',
  deleteButton: 'Usuń moje słowa',
  languageMenu: 'Język, którym mówię (tylko dla mnie)',
  hasEnded: 'Napisy się skończyły',

  isOn: (isKept) =>
    isKept
      ? `Gotowe. Zapisuję, co mówisz, tutaj i wtedy, gdy na tym serwerze będą napisy w ciągu najbliższych 90 dni. Cofniesz to przez ${stopMe} albo ${privacyCommand}.`
      : `Gotowe. Zapisuję, co mówisz, do końca tych napisów albo do naciśnięcia ${stopMe}.`,
  isOff: `Gotowe. Już cię nie słyszę. To, co było właśnie zapisywane, przepadło; żeby usunąć to, co już tu jest, naciśnij ${bold('Usuń moje słowa')}.`,
  isOffUnstored: `Gotowe. Już cię nie słyszę. Nie mogę tego teraz zapisać, ale próbuję dalej. Jeśli wcześniej zostanę uruchomiony ponownie, naciśnij jeszcze raz ${bold('Nie zapisuj mnie')}.`,
  excluded: 'Administrator tego serwera zdecydował, że osoby z jedną z twoich ról nigdy nie są zapisywane.',
  wordsDeleted: (count) =>
    count === 0
      ? 'Nie ma tu nic twojego.'
      : `Gotowe. ${format.plural(count, { one: 'Usunięto # twoją linijkę', few: 'Usunięto # twoje linijki', many: 'Usunięto # twoich linijek', other: 'Usunięto # twojej linijki' })}.`,
  languageChosen: (name) => (name === null ? 'Gotowe. Rozpoznam, w jakim języku mówisz.' : `Gotowe. Oczekiwany język: ${name}.`),
  notCaptioned: `Nie zapisuję cię. Najpierw naciśnij ${captionMe}.`,
  endedAlready: `Te napisy się skończyły. ${start} włączy je ponownie.`,

  behind: (seconds) => `Mam opóźnienie: ${format.duration(seconds)}.`,
  dropped: (name, seconds) => `Z wypowiedzi ${name} pominięto ${format.duration(seconds)}.`,
  failed: 'Usługa głosowa teraz nie działa, więc brakuje części tego, co się mówi. Próbuję dalej.',
  resumed: 'Nastąpiła przerwa. Może brakować tego, co powiedziano tuż przedtem.',

  ended: {
    stopped: (memberId) => `Napisy się skończyły. Kto je wyłączył: ${userMention(memberId)}.`,
    nobody: 'Napisy się skończyły: przez dwie minuty na kanale głosowym nie było nikogo, kogo zapisuję.',
    moved: 'Napisy się skończyły: moderator mnie przeniósł albo rozłączył.',
    left: 'Napisy się skończyły: nie ma mnie już na kanale głosowym.',
    channelGone: 'Napisy się skończyły: kanał głosowy usunięto.',
    lost: `Napisy się skończyły: zerwało się połączenie z kanałem głosowym. ${start} włączy je ponownie.`,
    unwritable: 'Napisy się skończyły: nie mogę już pisać na tym kanale.',
    interrupted: `Napisy się skończyły: nie było mnie zbyt długo. ${start} włączy je ponownie.`,
    unavailable: 'Napisy się skończyły: na tym komputerze nie mogę zapisywać mowy. Właściciel bota znajdzie przyczynę w moim dzienniku.',
  },
  noTranscript: 'Tym razem nie ma transkrypcji, bo nie udało się odczytać wszystkiego, co do niej potrzebne. Napisy powyżej zostają.',
  transcriptName: (channel) => `Napisy z ${channel}`,
  threadName: (channel) => `Napisy z ${channel}`,
  voiceStatus: '💬 Napisy włączone',

  spoken: {
    begin: 'Napisy są włączone. Zapisuję tylko to, co mówią osoby, które nacisną „Zapisuj mnie” na czacie.',
    joined: 'Tutaj są włączone napisy. Jeśli chcesz, żeby twoje słowa były zapisywane, naciśnij „Zapisuj mnie” na czacie.',
  },
  permissionNames: { CreatePublicThreads: 'Tworzenie publicznych wątków' },
  status: (channelId, count) =>
    `Napisy: włączone na ${channelMention(channelId)}, ${format.plural(count, { one: '# osoba', few: '# osoby', many: '# osób', other: '# osoby' })}`,

  panel: {
    starters: 'Mogą włączać napisy',
    startersMenu: 'Role, które mogą włączać napisy (brak = wszyscy)',
    channels: 'Napisy dozwolone na',
    channelsMenu: 'Kanały głosowe z napisami (brak = wszystkie)',
    excluded: 'Nigdy nie zapisywać',
    excludedMenu: 'Role, które nigdy nie są zapisywane',
    consentName: 'Zgoda',
    consent: { kept: 'Pamiętaj przez 90 dni, kto się zgodził', each: 'Pytaj wszystkich za każdym razem' },
    placeName: 'Gdzie pisać',
    place: { chat: 'Na czacie kanału głosowego', thread: 'W wątku' },
    placeWhat: {
      chat: 'Niezależnie od tego, gdzie włączono napisy',
      thread: 'Kanału tekstowego, na którym je włączono; czat kanału głosowego nie ma wątków',
    },
    languageName: 'Język mowy',
    language: (name) => `Język: ${name}`,
  },

  privacy: (count) =>
    `${bold('Napisy.')} Na kanałach głosowych z napisami słyszę cię tylko za twoją zgodą. Dźwięk jest w pamięci przez jedno zdanie; słowa są tylko w moich wiadomościach. ${
      count === 0
        ? 'Nigdzie nie ma twojej zgody.'
        : `Przez 90 dni pamiętam twoją zgodę na ${format.plural(count, { one: '# serwerze', few: '# serwerach', many: '# serwerach', other: '# serwera' })}, razem z wybranym językiem.`
    }`,
  consentGoes: 'To także wycofuje twoją zgodę na napisy, wszędzie.',
};
