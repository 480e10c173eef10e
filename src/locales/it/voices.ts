// What /voices says, in Italian.
import { bold, channelMention, inlineCode } from 'discord.js';
import { asMarkdown } from '../../text/untrusted-text.ts';
import type { Words } from '../words.ts';
import { format } from './format.ts';

const { number, plural } = format;

const titled = (title: string) => bold(asMarkdown(title, 150) || '?');

const hearWithSay = `Ascolta la voce stessa con ${inlineCode('/say')}.`;

export const voices: Words['voices'] = {
  languageName: format.language,

  heading: 'Voci',
  found: (total, page, pages) => {
    const voices = plural(total, { one: '# voce', other: '# voci' });
    return pages > 1 ? `${voices} · pagina ${number(page)} di ${number(pages)}` : voices;
  },
  noneFound: 'Nessuna voce corrisponde. Prova con meno filtri.',
  nothingOnPage: `Nessuna delle voci di questa pagina può parlare. Prova la pagina successiva o guardale tutte con ${inlineCode('/voices all:True')}.`,
  pageOutOfRange: (page, pages) =>
    pages === 1
      ? `La pagina ${number(page)} non esiste: ce n’è una sola.`
      : `La pagina ${number(page)} non esiste. L’ultima è la ${number(pages)}.`,
  ownVoicesForOperators: `Solo chi gestisce il bot può elencare le voci dell’account del bot. Togli ${inlineCode('mine')} per vedere quelle pubbliche.`,
  ownVoicesStayPrivate: 'Queste voci sono di chi gestisce il bot e restano private.',
  yes: 'sì',

  by: (author) => `di ${author}`,
  coverOf: (title) => `Copertina di ${title}`,
  likes: (count) => `♥ ${number(count)}`,
  uses: (count) => plural(count, { one: 'usata una volta', other: 'usata # volte' }),
  sings: 'Cambia la voce di chi canta. Non può dire testi.',
  notReady: (state) =>
    state === 'failed'
      ? 'Il suo addestramento è fallito, quindi non può parlare.'
      : 'È ancora in addestramento, quindi non può ancora parlare.',
  id: 'ID',
  sample: (place) => `Esempio ${number(place)}`,
  furtherSamples: (count) => plural(count, { one: '… e un altro esempio', other: '… e altri # esempi' }),

  hearOne: 'Ascolta…',
  useOne: 'Usa…',
  open: 'Dettagli…',
  share: 'Condividi',
  back: '‹ Indietro',
  hear: 'Ascolta',
  hearAnother: 'Ascolta un esempio…',

  choices: {
    mine: {
      off: 'Usa come mia voce',
      on: '✓ La mia voce',
      chosen: (title) => `${titled(title)} è ora la tua voce, per tutto ciò che fai dire con ${inlineCode('/say')} in qualsiasi server.`,
      givenUp: (title) => `${titled(title)} non è più la tua voce. I tuoi testi avranno quella del canale o del server.`,
    },
    favourite: {
      off: 'Aggiungi ai preferiti',
      on: '★ Preferita',
      chosen: (title) => `${titled(title)} è ora tra le tue preferite, in cima all’elenco quando scegli una voce in ${inlineCode('/say')}.`,
      givenUp: (title) => `${titled(title)} non è più tra le tue preferite.`,
    },
    server: {
      off: 'Usa per questo server',
      on: '✓ Voce di questo server',
      chosen: (title) => `${titled(title)} è ora la voce di questo server, per chi non ne ha scelta una propria.`,
      givenUp: (title) => `${titled(title)} non è più la voce di questo server. Chi non ne ha scelta una avrà la voce predefinita.`,
    },
  },

  gone: (title) => `${titled(title)} non è più disponibile. Scegli un’altra voce in ${inlineCode('/voices')}.`,
  cannotSpeak: (title) => `${titled(title)} non può dire testi. Scegli un’altra voce.`,
  serverVoiceForAdmins:
    'Solo gli admin del server (con **Gestisci server**) possono scegliere la voce del server. Puoi comunque usarla per te.',

  noSample: (title) => `Non c’è più nessun esempio di ${titled(title)}. ${hearWithSay}`,
  sampleUnreadable: (title) => `Non sono riuscito a caricare l’esempio di ${titled(title)}. Riprova tra poco.`,
  sampleTooLarge: (title) => `L’esempio di ${titled(title)} è troppo grande da riprodurre. ${hearWithSay}`,
  sampleNotAudio: (title) => `L’esempio di ${titled(title)} non è un audio che posso riprodurre. ${hearWithSay}`,
  samplePlays: (title, channelId, before) =>
    before === 0
      ? `In ${channelMention(channelId)} c’è ora un esempio di ${titled(title)}.`
      : `Un esempio di ${titled(title)} arriva in ${channelMention(channelId)} dopo ${plural(before, { one: 'quello che senti ora', other: 'altri # testi' })}.`,
  sampleAttached: (title) => `Ecco un esempio di ${titled(title)}. Entra in un canale vocale e lo riproduco lì.`,
};
