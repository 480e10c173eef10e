// What /voices says, in German.
import { bold, channelMention, inlineCode } from 'discord.js';
import { asMarkdown } from '../../text/untrusted-text.ts';
import type { Words } from '../words.ts';
import { format } from './format.ts';

const { number, plural } = format;

const titled = (title: string) => bold(asMarkdown(title, 150) || '?');

const hearWithSay = `Mit ${inlineCode('/say')} hörst du die Stimme selbst.`;

export const voices: Words['voices'] = {
  languageName: format.language,

  heading: 'Stimmen',
  found: (total, page, pages) => {
    const voices = plural(total, { one: '# Stimme', other: '# Stimmen' });
    return pages > 1 ? `${voices} · Seite ${number(page)} von ${number(pages)}` : voices;
  },
  noneFound: 'Dazu passt keine Stimme. Versuch es mit weniger Filtern.',
  nothingOnPage: `Keine der Stimmen auf dieser Seite kann sprechen. Blättere weiter, oder sieh sie dir mit ${inlineCode('/voices all:True')} alle an.`,
  pageOutOfRange: (page, pages) =>
    pages === 1
      ? `Eine Seite ${number(page)} gibt es nicht, nur eine einzige.`
      : `Eine Seite ${number(page)} gibt es nicht. Die letzte ist Seite ${number(pages)}.`,
  ownVoicesForOperators: `Die Stimmen vom Konto des Bots können nur die Betreiber auflisten. Lass ${inlineCode('mine')} weg, um die öffentlichen zu sehen.`,
  ownVoicesStayPrivate: 'Diese Stimmen gehören den Betreibern des Bots und bleiben privat.',
  yes: 'ja',

  by: (author) => `von ${author}`,
  coverOf: (title) => `Bild von ${title}`,
  likes: (count) => `♥ ${number(count)}`,
  uses: (count) => plural(count, { one: 'einmal benutzt', other: '#-mal benutzt' }),
  sings: 'Verändert Gesang. Texte sprechen kann sie nicht.',
  notReady: (state) =>
    state === 'failed' ? 'Ihr Training ist gescheitert, sie kann nicht sprechen.' : 'Sie wird noch trainiert und kann noch nicht sprechen.',
  id: 'ID',
  sample: (place) => `Hörprobe ${number(place)}`,
  furtherSamples: (count) => plural(count, { one: '… und # weitere Hörprobe', other: '… und # weitere Hörproben' }),

  hearOne: 'Anhören …',
  useOne: 'Benutzen …',
  open: 'Details …',
  share: 'Teilen',
  back: '‹ Zurück',
  hear: 'Anhören',
  hearAnother: 'Hörprobe anhören …',

  choices: {
    mine: {
      off: 'Als meine Stimme',
      on: '✓ Meine Stimme',
      chosen: (title) => `${titled(title)} ist jetzt deine Stimme, für alles mit ${inlineCode('/say')} auf jedem Server.`,
      givenUp: (title) => `${titled(title)} ist nicht mehr deine Stimme. Deine Texte haben jetzt die Stimme des Kanals oder des Servers.`,
    },
    favourite: {
      off: 'Favorit',
      on: '★ Favorit',
      chosen: (title) =>
        `${titled(title)} ist jetzt einer deiner Favoriten und steht oben in der Liste, wenn du in ${inlineCode('/say')} eine Stimme aussuchst.`,
      givenUp: (title) => `${titled(title)} ist kein Favorit mehr.`,
    },
    server: {
      off: 'Für diesen Server',
      on: '✓ Stimme dieses Servers',
      chosen: (title) => `${titled(title)} ist jetzt die Stimme dieses Servers, für alle, die sich keine ausgesucht haben.`,
      givenUp: (title) =>
        `${titled(title)} ist nicht mehr die Stimme dieses Servers. Wer sich keine ausgesucht hat, bekommt die Standardstimme.`,
    },
  },

  gone: (title) => `${titled(title)} ist nicht mehr verfügbar. Such dir in ${inlineCode('/voices')} eine andere Stimme aus.`,
  cannotSpeak: (title) => `${titled(title)} kann keine Texte sprechen. Nimm eine andere Stimme.`,
  serverVoiceForAdmins:
    'Die Stimme des Servers können nur Server-Admins (mit **Server verwalten**) wählen. Für dich selbst kannst du sie benutzen.',

  noSample: (title) => `Von ${titled(title)} gibt es keine Hörprobe mehr. ${hearWithSay}`,
  sampleUnreadable: (title) => `Ich konnte die Hörprobe von ${titled(title)} nicht laden. Versuch es gleich noch einmal.`,
  sampleTooLarge: (title) => `Die Hörprobe von ${titled(title)} ist zu groß zum Abspielen. ${hearWithSay}`,
  sampleNotAudio: (title) => `Die Hörprobe von ${titled(title)} ist kein Ton, den ich abspielen kann. ${hearWithSay}`,
  samplePlays: (title, channelId, before) =>
    before === 0
      ? `In ${channelMention(channelId)} läuft eine Hörprobe von ${titled(title)}.`
      : `Eine Hörprobe von ${titled(title)} kommt in ${channelMention(channelId)} nach ${plural(before, { one: 'dem, was gerade läuft', other: '# anderen' })}.`,
  sampleAttached: (title) => `Hier ist eine Hörprobe von ${titled(title)}. Tritt einem Sprachkanal bei, dann spiele ich sie dort ab.`,
};
