// Voice messages that are answered with their words, in Polish.
import { bold, channelMention, inlineCode } from 'discord.js';
import type { Words } from '../words.ts';
import { format } from './format.ts';

const privacyCommand = inlineCode('/privacy');
const transcribe = bold('Transcribe');

export const voiceMessages: Words['voiceMessages'] = {
  notice: {
    asked: (files) =>
      `${bold('Wolisz czytać niż słuchać?')} Na ${files ? 'wiadomości głosowe i pliki audio' : 'wiadomości głosowe'} na tym kanale mogę odpowiadać ich treścią. Robię to tylko dla osób, które to włączą: naciśnij przycisk albo użyj ${privacyCommand}. Obowiązuje to potem na każdym serwerze, który to oferuje.`,
    everyone: (files) =>
      `${bold('Od teraz')} odpowiadam na ${files ? 'wiadomości głosowe i pliki audio' : 'wiadomości głosowe'} na tym kanale ich treścią. Nie chcesz tego dla swoich? Naciśnij przycisk albo użyj ${privacyCommand}. Obowiązuje to potem na każdym serwerze.`,
    kept: 'Dźwięk trafia do usługi głosowej. Nie przechowuję ani dźwięku, ani treści: jest tylko w mojej odpowiedzi, którą usuwam, gdy usuniesz swoją wiadomość.',
  },
  onButton: 'Zapisuj moje wiadomości głosowe',
  offButton: 'Nie zapisuj moich wiadomości głosowych',
  stayOutButton: 'Mnie nie zapisuj',
  isOn: `Gotowe. Będę odpowiadać na twoje wiadomości głosowe ich treścią tam, gdzie serwer to oferuje. Aby to cofnąć, użyj ${privacyCommand}.`,
  isOff: `Gotowe. Nie będę już odpowiadać na twoje wiadomości głosowe ich treścią, na żadnym serwerze. Aby to cofnąć, użyj ${privacyCommand}.`,
  isOffAndDeleted: `Gotowe. Odpowiedź jest usunięta i nie będę już odpowiadać na twoje wiadomości głosowe ich treścią, na żadnym serwerze. Aby to cofnąć, użyj ${privacyCommand}.`,

  tooLong: (minutes) =>
    `To trwa dłużej niż ${format.duration(60 * minutes)}, a więcej na tym serwerze sam nie zapisuję. Użyj ${transcribe} na tej wiadomości.`,
  tooMany: `To za dużo wiadomości głosowych naraz, więc niektóre pominąłem. Użyj na nich ${transcribe}.`,
  littleCredit: `Zostało mało środków, więc sam tego nie zapisuję. Użyj ${transcribe} na tej wiadomości.`,

  panel: {
    noAccess: `Nie widzę wiadomości głosowych, gdy się pojawiają: właściciel bota musi włączyć czytanie wiadomości (${inlineCode('READ_MESSAGES')}) i na Discordzie ${bold('Message Content Intent')}. Do tego czasu członkowie mogą użyć ${transcribe} na wiadomości.`,
    channels: 'Odpowiedzi na wiadomości głosowe na',
    lacks: (id, permissions) =>
      `⚠️ Na ${channelMention(id)} jeszcze nie odpowiadam: potrzebuję tam uprawnień ${format.and(permissions.map((name) => bold(name)))}.`,
    channelsMenu: 'Kanały, na których odpowiadam (brak = wyłączone)',
    who: { asked: 'Tylko osoby, które to włączą', everyone: 'Wszyscy, którzy tego nie wyłączą' },
    whoWhat: {
      asked: 'Na każdym kanale publikuję wiadomość z przyciskiem',
      everyone: 'Na każdym kanale mówię, jak zrezygnować. Powiedz o tym też członkom',
    },
    optionsMenu: 'Bez spoilera i plików audio',
    options: {
      spoiler: { label: 'Ukryj treść', description: 'Jako spoiler, dopóki ktoś go nie naciśnie' },
      files: { label: 'Także pliki audio', description: 'Załączone nagrania, nie tylko wiadomości głosowe' },
    },
    longestName: 'Najdłuższa wiadomość głosowa',
    longest: (minutes) => `Do ${format.duration(60 * minutes)}`,
    languageName: 'Język mówiony',
    language: (name) => `Język: ${name}`,
  },
  permissionNames: { AttachFiles: 'Załączanie plików', SendMessagesInThreads: 'Wysyłanie wiadomości w wątkach' },

  privacy: (isOn) => {
    const choice =
      isOn === null
        ? 'Nie masz ustawionego wyboru: na twoje odpowiadam tylko tam, gdzie serwer robi to dla wszystkich.'
        : isOn
          ? 'Dla twoich jest to włączone, na każdym serwerze, który to oferuje.'
          : 'Dla twoich jest to wyłączone, na każdym serwerze.';
    return `${bold('Wiadomości głosowe.')} Tam, gdzie ustawili to administratorzy, odpowiadam na wiadomości głosowe ich treścią. Przez 30 dni pamiętam, która odpowiedź należy do której wiadomości, żeby usunąć jedną razem z drugą. ${choice}`;
  },
  optOutGoes: 'Zapomniane zostanie też to, że nie chcesz zapisywania swoich wiadomości głosowych.',
  wordsToo: 'Usunięte zostaną też moje odpowiedzi z treścią twoich wiadomości głosowych z ostatnich 30 dni.',
};
