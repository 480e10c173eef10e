// What making voices of recordings says, in Polish.
import { bold, hyperlink, inlineCode, userMention } from 'discord.js';
import { asMarkdown } from '../../text/untrusted-text.ts';
import type { Words } from '../words.ts';
import { code, format } from './format.ts';

const mine = inlineCode('/voice mine');

const service = (host: string | null) =>
  host === null ? 'do usługi głosowej na moim własnym komputerze' : `do usługi głosowej ${inlineCode(host)}`;

const titled = (title: string) => bold(asMarkdown(title, 150) || '?');

export const ownVoices: Words['ownVoices'] = {
  create: {
    operatorsOnly: `Głosy może tworzyć tylko właściciel bota. Wybierz zamiast tego jeden z ${inlineCode('/voices')}.`,
    adminsOnly: `Głosy mogą tu tworzyć tylko administratorzy serwera i osoby z określonymi rolami. Poproś administratora, żeby dodał twoją rolę w ${inlineCode('/settings')}.`,
    notOutsideServers: 'Poza serwerami głosy może tworzyć tylko właściciel bota. Spróbuj na serwerze.',
    tooMany: (most) =>
      `Masz już tyle głosów, na ile pozwalam: ${format.number(most)}, licząc te jeszcze niegotowe. Najpierw usuń jeden w ${mine}.`,

    titleMissing: 'Głos musi mieć tytuł. Wpisz go i spróbuj ponownie.',
    titleTooLong: (length, most) =>
      `Długość tytułu w znakach to ${format.number(length)}, a tytuł głosu może mieć najwyżej ${format.number(most)}. Skróć go.`,
    unknownLanguage: (typed) => `Nie znam języka ${code(typed)}. Wybierz język z listy albo go pomiń.`,
    tooLarge: (name, bytes, limit) =>
      `${code(name)} ma ${format.megabytes(bytes)}, a nagranie może mieć najwyżej ${format.megabytes(limit)}. Wyślij najlepszą minutę.`,
    tooShort: (seconds, least) =>
      `Razem to ${format.duration(seconds)}, a głos wymaga co najmniej ${format.duration(least)}. Nagraj jeszcze kilka zdań.`,
    forwarded: 'Nie wiem, kto mówi w przekazanej wiadomości. Użyj oryginalnej wiadomości.',
    fromBot: 'Ta wiadomość jest od bota, więc nikt nie może się zgodzić. Wybierz nagranie człowieka.',
    cannotAskHere: (speakerId) =>
      `Zgodzić się może tylko ${userMention(speakerId)}, a tutaj nie mogę o to zapytać. Spróbuj na serwerze, na którym jestem.`,
    speakerLeft: 'Osoba, która to nagrała, opuściła serwer i nie może się zgodzić. Wybierz inne nagranie.',

    formTitle: 'Utwórz głos',
    formLabel: 'Tytuł głosu',
    formAsks: 'To nagranie kogoś innego, więc zapytam tę osobę na tym kanale.',

    sends: (count, host) =>
      count === 1
        ? `Wyślę nagranie ${service(host)}, żeby powstał z niego głos. Nie zachowuję kopii.`
        : `Wyślę nagrania ${service(host)}, żeby powstał z nich głos. Nie zachowuję kopii.`,
    onlyYouMayUse: `Głosu możesz używać tylko ty, chyba że udostępnisz go w ${mine}.`,
    everyoneMayUse: 'Głosu mogą używać wszyscy na tym serwerze.',
    ownMessage: 'To twoja własna wiadomość głosowa, więc decyzja należy do ciebie.',
    makeButton: 'Utwórz mój głos',
    whoSpeaks: 'Potwierdź, że słychać tylko ciebie albo że osoba, którą słychać, pozwoliła ci utworzyć ten głos.',
    ownButton: 'To mój własny głos',
    permissionButton: 'Mam pozwolenie',

    asksSpeaker: (speakerId, makerId, url) =>
      `${userMention(speakerId)}, ${userMention(makerId)} chce utworzyć głos z ${hyperlink('twojego nagrania', url)}. Jeśli się zgodzisz, ${userMention(makerId)} będzie móc wypowiadać nim dowolny tekst.`,
    untilThen: (host) => `Decydujesz tylko ty. Jeśli się zgodzisz, wyślę nagranie ${service(host)}. Do tego czasu niczego nie wysyłam.`,
    agreeButton: 'Zgadzam się',
    refuseButton: 'Nie',
    onlySpeaker: (speakerId) => `Odpowiedzieć może tylko ${userMention(speakerId)}, bo to nagranie tej osoby.`,
    refused: (speakerId) => `Brak zgody: ${userMention(speakerId)}. Niczego nie wysyłam.`,
    takenBack: (makerId) => `${userMention(makerId)} nie chce już tego głosu. Niczego nie wysyłam.`,
    makerLeft: (makerId) => `Na serwerze nie ma już ${userMention(makerId)}, więc nie ma dla kogo tworzyć głosu. Niczego nie wysyłam.`,
    makerMayNot: (makerId) => `${userMention(makerId)} nie może już tworzyć tu głosów. Niczego nie wysyłam.`,

    sending: (share) => `Wysyłanie: ${format.percent(share)}`,
    waiting: 'Wysłano. Zaraz zacznie się trening…',
    training: 'Trening głosu… Zwykle trwa mniej niż minutę.',
    withdrawn: 'Anulowano. Niczego nie wysłano.',
    cancelButton: 'Anuluj',
    cancelled: 'Anulowano. Usługa głosowa też niczego nie zachowuje.',
    interrupted: `Uruchomiono mnie ponownie podczas tworzenia tego głosu. Jeśli nagranie zdążyło dotrzeć, głos wkrótce będzie w ${mine}. Jeśli nie, utwórz go jeszcze raz.`,
    takesLong: `Trening trwa dłużej niż zwykle. Będę go doglądać: gdy się skończy, głos będzie w ${mine}.`,
    trainingFailed: (reason) =>
      `Usługa głosowa nie mogła utworzyć z tego głosu${reason === '' ? '.' : `: ${reason}`}\n-# Najlepiej sprawdza się 10 do 60 sekund wyraźnej mowy jednej osoby, bez muzyki i hałasu.`,
    deletedMeanwhile: 'Głos usunięto, zanim był gotowy. Utwórz go jeszcze raz, jeśli nadal go chcesz.',
    notMade: 'Coś poszło nie tak po mojej stronie, więc głosu nie ma. Spróbuj za minutę.',

    ready: `${bold('Gotowe.')} Znajdziesz go na początku opcji ${inlineCode('voice')} w ${inlineCode('/say')}.`,
    onlyOwnerMayUse: (ownerId) => `Głosu może używać tylko ${userMention(ownerId)}.`,
    agreed: (speakerId) => `Zgodę wyraził(a) ${userMention(speakerId)}.`,
    gone: `Tego głosu już nie ma. Utwórz nowy przez ${inlineCode('/voice create')}.`,
    hello: 'Cześć! To mój nowy głos. Powiedz mi, co mam powiedzieć, a to powiem.',
  },

  mine: {
    yours: 'twój',
    shared: 'udostępniony tutaj',

    heading: 'Twoje głosy',
    none: `Nie masz jeszcze własnego głosu. ${inlineCode('/voice create')} tworzy go z nagrania.`,
    explain: 'Nikt inny nie znajdzie ani nie użyje twojego głosu, chyba że udostępnisz go na serwerze.',
    onlyYou: 'Tylko ty możesz go używać',
    sharedWith: (here, others) => {
      if (others === 0) return 'Wszyscy na tym serwerze mogą go używać';
      return here
        ? format.plural(others, {
            one: 'Wszyscy na tym i na # innym serwerze mogą go używać',
            few: 'Wszyscy na tym i na # innych serwerach mogą go używać',
            many: 'Wszyscy na tym i na # innych serwerach mogą go używać',
            other: 'Wszyscy na tym i na # innego serwera mogą go używać',
          })
        : format.plural(others, {
            one: 'Wszyscy na # innym serwerze mogą go używać',
            few: 'Wszyscy na # innych serwerach mogą go używać',
            many: 'Wszyscy na # innych serwerach mogą go używać',
            other: 'Wszyscy na # innego serwera mogą go używać',
          });
    },
    made: (when) => `utworzony ${when}`,
    goneAtService: 'Usługa głosowa już go nie ma, więc nie może mówić.',
    edit: 'Zmień nazwę…',
    share: 'Udostępnij na tym serwerze',
    unshare: 'Przestań udostępniać',
    delete: 'Usuń…',

    formTitle: 'Zmień nazwę głosu',
    titleField: 'Tytuł',
    descriptionField: 'Opis',
    changed: (title) => `Zapisano ${titled(title)}.`,
    nowShared: (title) => `Wszyscy na tym serwerze mogą teraz wybrać ${titled(title)} w ${inlineCode('/say')}.`,
    nowPrivate: (title) => `${titled(title)} nie jest już udostępniony. Kto go wybrał, ma teraz inny głos.`,
    shareFirst: (title) =>
      `Na razie tylko ty możesz używać głosu ${titled(title)}. Najpierw udostępnij go na tym serwerze w ${inlineCode('/voice mine')}.`,
    deleteQuestion: (title) =>
      `Usunąć ${titled(title)}, tutaj i z usługi głosowej, razem z całym zapisanym w nim dźwiękiem? Kto go używa, dostanie inny głos. Tego nie można cofnąć.`,
    deleteYes: 'Usuń',
    cancel: 'Anuluj',
    deleted: (title) => `Usunięto ${titled(title)}.`,
    deletedLater: (title) =>
      `Usunięto ${titled(title)} tutaj i nikt nie może już go używać. Usługa głosowa nie mogła go teraz usunąć; będę próbować dalej.`,
    gone: `Tego głosu już nie ma. ${inlineCode('/voice mine')} pokazuje te, które masz.`,
  },
};
