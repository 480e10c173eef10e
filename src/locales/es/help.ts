// What /help says, in Spanish.
import { bold, inlineCode } from 'discord.js';
import type { Words } from '../words.ts';

export const help: Words['help'] = {
  intro: 'Escribe algo y lo digo en tu canal de voz. Mándame una grabación y anoto lo que se dice.',
  stepsTitle: 'Para empezar',
  steps: (say, voices) =>
    `1. Entra en un canal de voz.\n2. Escribe ${say} y lo que tengo que decir. Elige una voz en la opción ${inlineCode('voice')}.\n3. Encuentra tu favorita en ${voices}.`,
  asVoiceMessage: (say) => `Aquí no hay canal de voz, así que ${say} te manda un mensaje de voz.`,
  groups: {
    speaking: 'Hablar',
    listening: 'Transcribir',
    voices: 'Voces',
    about: 'Conviene saber',
    admins: 'Para admins',
    more: 'Más',
  },
  line: (command, description) => `${command} – ${description}`,
  contextCommands: {
    Transcribe: (name) =>
      `${bold(name)} – haz clic derecho en un mensaje (o mantenlo pulsado en el móvil) y elige ${bold('Aplicaciones')} para leer lo que se dice`,
    'Make a voice': (name) =>
      `${bold(name)} – haz clic derecho en un mensaje (o mantenlo pulsado en el móvil) y elige ${bold('Aplicaciones')} para hacer una voz con su grabación`,
    'Read this aloud': (name) =>
      `${bold(name)} – haz clic derecho en un mensaje (o mantenlo pulsado en el móvil) y elige ${bold('Aplicaciones')} para oírlo en tu canal de voz`,
    'Stop reading this member': (name) =>
      `${bold(name)} – para moderación: haz clic derecho en un miembro y elige ${bold('Aplicaciones')} para dejar de leer sus mensajes o permitirlo`,
  },
};
