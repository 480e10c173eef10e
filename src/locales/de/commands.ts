// The descriptions of the commands and their options, in German.
import type { Words } from '../words.ts';

export const commands: Words['commands'] = {
  say: {
    description: 'Einen Text in deinem Sprachkanal sprechen',
    text: 'Was ich sagen soll',
    voice: 'Mit welcher Stimme. Ich behalte sie für deine nächsten Texte',
    channel: 'In welchem Sprachkanal, wenn nicht in deinem',
    asFile: 'Den Ton stattdessen als Datei schicken',
    speed: 'Von 0.5 (langsam) bis 2 (schnell), 1 ist normal. Ich behalte es für deine nächsten Texte',
  },
  queue: { description: 'Sehen, was läuft und was danach kommt' },
  skip: { description: 'Überspringen, was läuft: deinen Text, als Moderation auch den von anderen' },
  stop: { description: 'Alle deine Texte verwerfen, als Moderation die von allen' },
  leave: { description: 'Mich aus dem Sprachkanal schicken' },
  transcribe: {
    description: 'Eine Aufnahme in Text verwandeln',
    audio: 'Die Aufnahme, bis zu 20 MB',
    language: 'Die gesprochene Sprache. Leer = erkennen',
    timestamps: 'Zeigen, wann was gesagt wurde. Leer = ja',
    format: 'Auch eine Datei anhängen',
    private: 'Die Mitschrift nur dir zeigen',
    formats: { text: 'Text (.txt)', srt: 'Untertitel (.srt)', vtt: 'Untertitel fürs Web (.vtt)', json: 'Daten (.json)' },
  },
  voices: {
    description: 'In Stimmen stöbern, sie anhören und deine aussuchen',
    title: 'Worte aus dem Titel',
    tag: 'Tags wie calm oder robot, durch Kommas getrennt',
    language: 'Sprachen als Name oder Code, durch Kommas getrennt',
    author: 'Wer die Stimme gemacht hat',
    sort: 'Was zuerst kommt',
    titleLanguage: 'Sprachen des Titels, als Name oder Code',
    all: 'Auch Stimmen, die keine Texte sprechen: untrainierte und die zum Singen',
    mine: 'Nur die Stimmen vom Konto des Bots (für die Betreiber)',
    page: 'Mit welcher Seite anfangen',
    sorts: { score: 'Passt am besten', task_count: 'Am meisten benutzt', created_at: 'Neueste' },
  },
  status: { description: 'Herausfinden, warum du nichts hörst' },
  credit: { description: 'Sehen, was verbraucht und was übrig ist' },
  privacy: { description: 'Sehen, was ich über dich speichere, und es löschen' },
  help: { description: 'Was ich kann und wie es losgeht' },
  settings: { description: 'Mich für diesen Server einstellen: Stimmen, Lautstärke, wer mich benutzen darf, Budgets' },
};
