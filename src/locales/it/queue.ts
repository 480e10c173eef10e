// What /queue, /skip, /stop and /leave say, in Italian.
import { bold, channelMention, inlineCode, userMention } from 'discord.js';
import type { Words } from '../words.ts';
import { format } from './format.ts';

export const queue: Words['queue'] = {
  full: (most) =>
    format.plural(most, {
      one: 'La coda è piena, con # testo. Riprova tra poco.',
      other: 'La coda è piena, con # testi. Riprova tra poco.',
    }),
  tooManyWaiting: (most) =>
    format.plural(most, {
      one: `Hai già # testo in coda. Aspetta che finisca o scartalo con ${inlineCode('/stop')}.`,
      other: `Hai già # testi in coda. Aspetta che ne finisca uno o scartali con ${inlineCode('/stop')}.`,
    }),
  onlyOwnerCanSkip: (ownerId) => `Solo ${userMention(ownerId)} o un moderatore può saltarlo.`,
  onlyOwnerCanStop: (ownerId) => `Solo ${userMention(ownerId)} o un moderatore può fermarlo.`,
  onlyOwnerCanUse: (ownerId) => `Solo ${userMention(ownerId)} o un moderatore può farlo.`,
  onlyModerators: 'Solo un moderatore può farlo.',
  empty: 'Non c’è nulla in riproduzione.',
  nothingToStop: 'Nessuno dei tuoi testi è in riproduzione o in attesa.',
  othersWaiting: `In coda ci sono ancora testi di altri, quindi solo un moderatore può farmi uscire. I moderatori hanno ${bold('Silenzia membri')} o ${bold('Gestisci messaggi')} nel mio canale vocale.`,
  skipped: (ownerId) => `Ho saltato il testo di ${userMention(ownerId)}.`,
  stopped: (count) => format.plural(count, { one: 'Mi fermo. Ho scartato # testo.', other: 'Mi fermo. Ho scartato # testi.' }),
  left: (channelId) => `Sono uscito da ${channelMention(channelId)}.`,
  nowPlaying: 'In riproduzione',
  upNext: 'A seguire',
  starting: 'Sta per iniziare…',
  timeLeft: (seconds) => `Ancora ${format.duration(seconds)} circa`,
  almostDone: 'Quasi finito',
  lasts: (seconds) => `circa ${format.duration(seconds)}`,
  removeButton: 'Rimuovi',
  alreadyGone: 'Quel testo non è più in coda.',
  pageOf: (page, pages) => `Pagina ${format.number(page)} di ${format.number(pages)}`,
};
