// What /dictionary says, in Italian.
import { bold, inlineCode, roleMention } from 'discord.js';
import type { Words } from '../words.ts';
import { code, format } from './format.ts';

const entries = (count: number) => format.plural(count, { one: '# voce', other: '# voci' });

export const dictionary: Words['dictionary'] = {
  titles: { server: 'Dizionario del server', me: 'Il tuo dizionario' },
  count: (count, most) => `${format.number(count)} di ${entries(most)}`,
  found: (count, typed) => `${entries(count)} con ${code(typed)}`,
  empty: {
    server: `Qui non c’è ancora nulla. Con ${inlineCode('/dictionary add')} mi insegni come si dice una parola.`,
    me: `Qui non c’è ancora nulla. Con ${inlineCode('/dictionary add')} mi insegni come dire una parola per te. Le tue voci vengono prima di quelle del server.`,
  },
  noneFound: (typed) => `Nessuna voce contiene ${code(typed)}. Prova con una parte più breve della parola.`,
  entry: (word, spoken, language) =>
    language === null ? `${bold(word)} → ${spoken}` : `${bold(word)} → ${spoken} (${format.language(language)})`,
  added: { server: 'Aggiunta al dizionario del server.', me: 'Aggiunta al tuo dizionario.' },
  changed: { server: 'Cambiata nel dizionario del server.', me: 'Cambiata nel tuo dizionario.' },
  before: (spoken) => `Prima: ${spoken}`,
  removed: { server: 'Rimossa dal dizionario del server.', me: 'Rimossa dal tuo dizionario.' },
  hear: 'Ascolta',
  undo: 'Annulla',
  undone: { server: 'Annullato. Il dizionario del server è come prima.', me: 'Annullato. Il tuo dizionario è come prima.' },
  undoExpired: `È troppo tardi per annullare. ${inlineCode('/dictionary list')} mostra cosa c’è ora.`,
  notFound: {
    server: (word) => `${code(word)} non è nel dizionario del server. ${inlineCode('/dictionary list')} mostra cosa c’è.`,
    me: (word) => `${code(word)} non è nel tuo dizionario. ${inlineCode('/dictionary list')} mostra cosa c’è.`,
  },
  nothingApplies: (text) => `Nessuna voce cambia come dico ${code(text)}. Aggiungine una con ${inlineCode('/dictionary add')}.`,
  full: {
    server: (most) => `Il dizionario del server è pieno: contiene ${entries(most)}. Prima rimuovine una.`,
    me: (most) => `Il tuo dizionario è pieno: contiene ${entries(most)}. Prima rimuovine una.`,
  },
  notAllowed: (roles) =>
    roles.length === 0 || roles.length > 5
      ? `Per cambiare il dizionario del server ti serve ${bold('Gestisci server')}. Per cambiare il tuo, sceglilo in ${inlineCode('for')}.`
      : `Per cambiare il dizionario del server ti serve ${bold('Gestisci server')} o ${format.or(roles.map(roleMention))}. Per cambiare il tuo, sceglilo in ${inlineCode('for')}.`,
  notInGuild: `Qui c’è solo il tuo dizionario. Lascia ${inlineCode('for')} vuoto.`,
  problems: {
    noWord: 'La parola non ha lettere né cifre. Scrivila come la scrivono tutti.',
    longWord: 'La parola è troppo lunga. Al massimo 100 caratteri.',
    noSpoken: 'Per la parola non c’è nulla da dire. Scrivi almeno una lettera o una cifra.',
    longSpoken: 'Per la parola c’è troppo da dire. Al massimo 200 caratteri.',
    language: `Non conosco questa lingua. Usa un codice come ${inlineCode('en')}, o lascia vuoto per tutte le lingue.`,
    duplicate: 'La parola è già in una riga precedente. Vale quella.',
    quotes: 'Qui o più su ci sono virgolette non chiuse.',
    full: 'Il dizionario è pieno.',
  },
  showServer: 'Dizionario del server',
  showMine: 'Il tuo dizionario',
  removeMenu: 'Rimuovi una parola…',
  exported: {
    server: 'Ecco il dizionario del server. Modificalo in un foglio di calcolo e importalo di nuovo.',
    me: 'Ecco il tuo dizionario. Modificalo in un foglio di calcolo e importalo di nuovo.',
  },
  importTitle: { server: 'Importa nel dizionario del server', me: 'Importa nel tuo dizionario' },
  importLabel: 'File CSV',
  importHint: 'Colonne: parola, cosa dire, lingua (può essere vuota). Fino a 1 MB.',
  importModeLabel: 'Voci che ci sono già',
  importModes: { merge: 'Tienile; per la stessa parola vale il file', replace: 'Prima rimuovile tutte' },
  imported: (added, changed) =>
    changed === 0
      ? `Importato. Voci nuove: ${format.number(added)}.`
      : `Importato. Voci nuove: ${format.number(added)}; cambiate: ${format.number(changed)}.`,
  importedInstead: (count, gone) => `Importato. Ora ${entries(count)}, prima ${format.number(gone)}.`,
  importedNothing: (file) => `In ${code(file)} non c’è nulla che io possa usare. Non ho cambiato nulla.`,
  skipped: (count) => format.plural(count, { one: '# riga non importata:', other: '# righe non importate:' }),
  line: (line, reason) => `Riga ${format.number(line)}: ${reason}`,
  lines: (from, to, reason) => `Righe da ${format.number(from)} a ${format.number(to)}: ${reason}`,
  moreSkipped: (count) => `… e ${format.plural(count, { one: '# altra', other: '# altre' })}. Nel file allegato ci sono tutte.`,
  unread: {
    full: (line) => `Mi sono fermato alla riga ${format.number(line)}, perché nel dizionario non c’è più posto.`,
    tooManyBad: (line) =>
      `Mi sono fermato alla riga ${format.number(line)}, perché prima ci sono troppe righe che non posso accettare. Correggile e importa di nuovo il file.`,
  },
  notText: (file) => `${code(file)} non è un file di testo in UTF-8. In Excel salvalo come “CSV UTF-8”. Non ho cambiato nulla.`,
  fileTooLarge: (file, limit) =>
    `${code(file)} supera ${format.megabytes(limit)}, più di quanto contenga un dizionario. Dividilo. Non ho cambiato nulla.`,
  privacy: (count) =>
    `${bold('Dizionari.')} ${count === 0 ? '' : `Del tuo, ${entries(count)}, finché non le rimuovi. `}Le voci di un server restano quanto le sue impostazioni.`,
};
