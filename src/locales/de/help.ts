// What /help says, in German.
import { bold, inlineCode } from 'discord.js';
import type { Words } from '../words.ts';

export const help: Words['help'] = {
  intro: 'Schreib etwas, und ich sage es in deinem Sprachkanal. Schick mir eine Aufnahme, und ich schreibe auf, was gesagt wird.',
  stepsTitle: 'So geht’s los',
  steps: (say, voices) =>
    `1. Tritt einem Sprachkanal bei.\n2. Tippe ${say} und was ich sagen soll. Eine Stimme suchst du dir unter ${inlineCode('voice')} aus.\n3. Finde deine Lieblingsstimme mit ${voices}.`,
  asVoiceMessage: (say) => `Hier gibt es keinen Sprachkanal, deshalb schickt dir ${say} eine Sprachnachricht.`,
  groups: {
    speaking: 'Sprechen',
    listening: 'Mitschreiben',
    voices: 'Stimmen',
    about: 'Gut zu wissen',
    admins: 'Für Admins',
    more: 'Mehr',
  },
  line: (command, description) => `${command} – ${description}`,
  contextCommands: {
    Transcribe: (name) =>
      `${bold(name)} – klick mit rechts auf eine Nachricht (am Handy: gedrückt halten) und wähle ${bold('Apps')}, um zu lesen, was darin gesagt wird`,
    'Make a voice': (name) =>
      `${bold(name)} – klick mit rechts auf eine Nachricht (am Handy: gedrückt halten) und wähle ${bold('Apps')}, um aus der Aufnahme darin eine Stimme zu machen`,
    'Read this aloud': (name) =>
      `${bold(name)} – klick mit rechts auf eine Nachricht (am Handy: gedrückt halten) und wähle ${bold('Apps')}, um sie in deinem Sprachkanal zu hören`,
    'Stop reading this member': (name) =>
      `${bold(name)} – für die Moderation: klick mit rechts auf ein Mitglied und wähle ${bold('Apps')}, um das Vorlesen seiner Nachrichten zu beenden oder zu erlauben`,
  },
};
