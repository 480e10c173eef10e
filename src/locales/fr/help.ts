// What /help says, in French.
import { bold, inlineCode } from 'discord.js';
import type { Words } from '../words.ts';

export const help: Words['help'] = {
  intro: 'Écris quelque chose et je le dis dans ton salon vocal. Envoie-moi un enregistrement et je note ce qui s’y dit.',
  stepsTitle: 'Pour commencer',
  steps: (say, voices) =>
    `1. Rejoins un salon vocal.\n2. Tape ${say} et ce que je dois dire. Choisis une voix avec l’option ${inlineCode('voice')}.\n3. Trouve ta voix préférée dans ${voices}.`,
  asVoiceMessage: (say) => `Il n’y a pas de salon vocal ici, alors ${say} t’envoie un message vocal.`,
  groups: {
    speaking: 'Parler',
    listening: 'Transcrire',
    voices: 'Voix',
    about: 'Bon à savoir',
    admins: 'Pour les admins',
    more: 'Plus',
  },
  line: (command, description) => `${command} – ${description}`,
  contextCommands: {
    Transcribe: (name) =>
      `${bold(name)} – fais un clic droit sur un message (ou un appui long sur mobile) et choisis ${bold('Applis')} pour lire ce qui s’y dit`,
    'Make a voice': (name) =>
      `${bold(name)} – fais un clic droit sur un message (ou un appui long sur mobile) et choisis ${bold('Applis')} pour faire une voix de son enregistrement`,
    'Read this aloud': (name) =>
      `${bold(name)} – fais un clic droit sur un message (ou un appui long sur mobile) et choisis ${bold('Applis')} pour l’entendre dans ton salon vocal`,
    'Stop reading this member': (name) =>
      `${bold(name)} – pour les modérateurs : fais un clic droit sur un membre et choisis ${bold('Applis')} pour arrêter ou permettre la lecture de ses messages`,
  },
};
