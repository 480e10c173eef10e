// What /dictionary says, in German.
import { bold, inlineCode, roleMention } from 'discord.js';
import type { Words } from '../words.ts';
import { code, format } from './format.ts';

const entries = (count: number) => format.plural(count, { one: '# Eintrag', other: '# Einträge' });

export const dictionary: Words['dictionary'] = {
  titles: { server: 'Wörterbuch des Servers', me: 'Dein Wörterbuch' },
  count: (count, most) => `${format.number(count)} von ${format.number(most)} Einträgen`,
  found: (count, typed) => `${entries(count)} mit ${code(typed)}`,
  empty: {
    server: `Hier ist noch nichts. Mit ${inlineCode('/dictionary add')} bringst du mir bei, wie ein Wort gesprochen wird.`,
    me: `Hier ist noch nichts. Mit ${inlineCode('/dictionary add')} bringst du mir bei, wie ich ein Wort für dich sprechen soll. Deine Einträge gehen denen des Servers vor.`,
  },
  noneFound: (typed) => `Kein Eintrag enthält ${code(typed)}. Versuch es mit einem kürzeren Teil des Wortes.`,
  entry: (word, spoken, language) =>
    language === null ? `${bold(word)} → ${spoken}` : `${bold(word)} → ${spoken} (${format.language(language)})`,
  added: { server: 'Ins Wörterbuch des Servers aufgenommen.', me: 'In dein Wörterbuch aufgenommen.' },
  changed: { server: 'Im Wörterbuch des Servers geändert.', me: 'In deinem Wörterbuch geändert.' },
  before: (spoken) => `Vorher: ${spoken}`,
  removed: { server: 'Aus dem Wörterbuch des Servers entfernt.', me: 'Aus deinem Wörterbuch entfernt.' },
  hear: 'Anhören',
  undo: 'Rückgängig machen',
  undone: {
    server: 'Rückgängig gemacht. Das Wörterbuch des Servers ist wie vorher.',
    me: 'Rückgängig gemacht. Dein Wörterbuch ist wie vorher.',
  },
  undoExpired: `Das lässt sich nicht mehr rückgängig machen. ${inlineCode('/dictionary list')} zeigt, was jetzt da ist.`,
  notFound: {
    server: (word) => `${code(word)} steht nicht im Wörterbuch des Servers. ${inlineCode('/dictionary list')} zeigt, was darin steht.`,
    me: (word) => `${code(word)} steht nicht in deinem Wörterbuch. ${inlineCode('/dictionary list')} zeigt, was darin steht.`,
  },
  nothingApplies: (text) => `Kein Eintrag ändert, wie ich ${code(text)} spreche. Mit ${inlineCode('/dictionary add')} kommt einer dazu.`,
  full: {
    server: (most) => `Das Wörterbuch des Servers ist voll: Es fasst ${entries(most)}. Entferne zuerst einen.`,
    me: (most) => `Dein Wörterbuch ist voll: Es fasst ${entries(most)}. Entferne zuerst einen.`,
  },
  notAllowed: (roles) =>
    roles.length === 0 || roles.length > 5
      ? `Um das Wörterbuch des Servers zu ändern, brauchst du ${bold('Server verwalten')}. Für dein eigenes wähle es in ${inlineCode('for')}.`
      : `Um das Wörterbuch des Servers zu ändern, brauchst du ${bold('Server verwalten')} oder ${format.or(roles.map(roleMention))}. Für dein eigenes wähle es in ${inlineCode('for')}.`,
  notInGuild: `Hier gibt es nur dein eigenes Wörterbuch. Lass ${inlineCode('for')} leer.`,
  problems: {
    noWord: 'Das Wort hat weder Buchstaben noch Ziffern. Schreib es so, wie man es tippt.',
    longWord: 'Das Wort ist zu lang. Höchstens 100 Zeichen.',
    noSpoken: 'Für das Wort gibt es nichts zu sagen. Schreib mindestens einen Buchstaben oder eine Ziffer.',
    longSpoken: 'Für das Wort gibt es zu viel zu sagen. Höchstens 200 Zeichen.',
    language: `Diese Sprache kenne ich nicht. Nimm einen Code wie ${inlineCode('en')} oder lass sie leer, wenn es für alle Sprachen gilt.`,
    duplicate: 'Das Wort steht schon in einer früheren Zeile. Die zählt.',
    quotes: 'Hier oder weiter oben fehlt ein schließendes Anführungszeichen.',
    full: 'Das Wörterbuch ist voll.',
  },
  showServer: 'Wörterbuch des Servers',
  showMine: 'Dein Wörterbuch',
  removeMenu: 'Ein Wort entfernen …',
  exported: {
    server: 'Das ist das Wörterbuch des Servers. Bearbeite es in einer Tabellenkalkulation und importiere es wieder.',
    me: 'Das ist dein Wörterbuch. Bearbeite es in einer Tabellenkalkulation und importiere es wieder.',
  },
  importTitle: { server: 'Ins Wörterbuch des Servers importieren', me: 'In dein Wörterbuch importieren' },
  importLabel: 'CSV-Datei',
  importHint: 'Spalten: Wort, was ich sagen soll, Sprache (darf leer sein). Bis zu 1 MB.',
  importModeLabel: 'Was schon im Wörterbuch steht',
  importModes: { merge: 'Behalten; beim selben Wort gilt die Datei', replace: 'Vorher alles entfernen' },
  imported: (added, changed) =>
    changed === 0 ? `Importiert. ${entries(added)} neu.` : `Importiert. ${entries(added)} neu, ${format.number(changed)} geändert.`,
  importedInstead: (count, gone) => `Importiert. Jetzt ${entries(count)}, vorher ${format.number(gone)}.`,
  importedNothing: (file) => `In ${code(file)} ist nichts, das ich übernehmen kann. Ich habe nichts geändert.`,
  skipped: (count) => format.plural(count, { one: '# Zeile nicht übernommen:', other: '# Zeilen nicht übernommen:' }),
  line: (line, reason) => `Zeile ${format.number(line)}: ${reason}`,
  lines: (from, to, reason) => `Zeilen ${format.number(from)} bis ${format.number(to)}: ${reason}`,
  moreSkipped: (count) =>
    `… und ${format.plural(count, { one: '# weitere Stelle', other: '# weitere Stellen' })}. In der angehängten Datei stehen alle.`,
  unread: {
    full: (line) => `Bei Zeile ${format.number(line)} habe ich aufgehört, weil ins Wörterbuch nicht mehr hineinpasst.`,
    tooManyBad: (line) =>
      `Bei Zeile ${format.number(line)} habe ich aufgehört, weil ich zu viele Zeilen davor nicht übernehmen kann. Korrigiere sie und importiere die Datei noch einmal.`,
  },
  notText: (file) => `${code(file)} ist keine Textdatei in UTF-8. Speichere sie in Excel als „CSV UTF-8“. Ich habe nichts geändert.`,
  fileTooLarge: (file, limit) =>
    `${code(file)} ist größer als ${format.megabytes(limit)}, mehr als in jedes Wörterbuch passt. Teile sie auf. Ich habe nichts geändert.`,
  privacy: (count) =>
    `${bold('Wörterbücher.')} ${count === 0 ? '' : `Von dir ${entries(count)}, bis du sie entfernst. `}Die Einträge eines Servers bleiben so lange wie seine Einstellungen.`,
};
