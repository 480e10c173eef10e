// What /queue, /skip, /stop and /leave say, in German.
import { bold, channelMention, inlineCode, userMention } from 'discord.js';
import type { Words } from '../words.ts';
import { format } from './format.ts';

export const queue: Words['queue'] = {
  full: (most) =>
    format.plural(most, {
      one: 'Die Warteschlange ist mit # Text voll. Versuch es gleich noch einmal.',
      other: 'Die Warteschlange ist mit # Texten voll. Versuch es gleich noch einmal.',
    }),
  tooManyWaiting: (most) =>
    format.plural(most, {
      one: `Von dir ist schon # Text in der Warteschlange. Warte, bis er fertig ist, oder verwirf ihn mit ${inlineCode('/stop')}.`,
      other: `Von dir sind schon # Texte in der Warteschlange. Warte, bis einer fertig ist, oder verwirf sie mit ${inlineCode('/stop')}.`,
    }),
  onlyOwnerCanSkip: (ownerId) => `Nur ${userMention(ownerId)} oder die Moderation kann das überspringen.`,
  onlyOwnerCanStop: (ownerId) => `Nur ${userMention(ownerId)} oder die Moderation kann das stoppen.`,
  onlyOwnerCanUse: (ownerId) => `Das kann nur ${userMention(ownerId)} oder die Moderation.`,
  onlyModerators: 'Das kann nur die Moderation.',
  empty: 'Gerade läuft nichts.',
  nothingToStop: 'Von dir läuft oder wartet kein Text.',
  othersWaiting: `Andere haben noch Texte in der Warteschlange, deshalb kann mich nur die Moderation wegschicken. Dazu gehört, wer in meinem Sprachkanal ${bold('Mitglieder stummschalten')} oder ${bold('Nachrichten verwalten')} darf.`,
  skipped: (ownerId) => `Der Text von ${userMention(ownerId)} ist übersprungen.`,
  stopped: (count) => format.plural(count, { one: 'Gestoppt. Ich habe # Text verworfen.', other: 'Gestoppt. Ich habe # Texte verworfen.' }),
  left: (channelId) => `Ich habe ${channelMention(channelId)} verlassen.`,
  nowPlaying: 'Läuft gerade',
  upNext: 'Danach',
  starting: 'Fängt an …',
  timeLeft: (seconds) => `Noch etwa ${format.duration(seconds)}`,
  almostDone: 'Fast fertig',
  lasts: (seconds) => `etwa ${format.duration(seconds)}`,
  removeButton: 'Entfernen',
  alreadyGone: 'Dieser Text ist nicht mehr in der Warteschlange.',
  pageOf: (page, pages) => `Seite ${format.number(page)} von ${format.number(pages)}`,
};
