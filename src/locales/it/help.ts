// What /help says, in Italian.
import { bold, inlineCode } from 'discord.js';
import type { Words } from '../words.ts';

export const help: Words['help'] = {
  intro: 'Scrivi qualcosa e lo dico nel tuo canale vocale. Mandami una registrazione e scrivo quello che viene detto.',
  stepsTitle: 'Per iniziare',
  steps: (say, voices) =>
    `1. Entra in un canale vocale.\n2. Scrivi ${say} e quello che devo dire. Scegli una voce con l’opzione ${inlineCode('voice')}.\n3. Trova la tua preferita in ${voices}.`,
  asVoiceMessage: (say) => `Qui non c’è un canale vocale, quindi ${say} ti manda un messaggio vocale.`,
  groups: {
    speaking: 'Parlare',
    listening: 'Trascrivere',
    voices: 'Voci',
    about: 'Buono a sapersi',
    admins: 'Per gli admin',
    more: 'Altro',
  },
  line: (command, description) => `${command} – ${description}`,
  contextCommands: {
    Transcribe: (name) =>
      `${bold(name)} – fai clic destro su un messaggio (o tienilo premuto sul telefono) e scegli ${bold('App')} per leggere cosa viene detto`,
    'Make a voice': (name) =>
      `${bold(name)} – fai clic destro su un messaggio (o tienilo premuto sul telefono) e scegli ${bold('App')} per fare una voce con la sua registrazione`,
    'Read this aloud': (name) =>
      `${bold(name)} – fai clic destro su un messaggio (o tienilo premuto sul telefono) e scegli ${bold('App')} per sentirlo nel tuo canale vocale`,
    'Stop reading this member': (name) =>
      `${bold(name)} – per i moderatori: fai clic destro su un membro e scegli ${bold('App')} per fermare o permettere la lettura dei suoi messaggi`,
  },
};
