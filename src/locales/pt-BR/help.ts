// What /help says, in Brazilian Portuguese.
import { bold, inlineCode } from 'discord.js';
import type { Words } from '../words.ts';

export const help: Words['help'] = {
  intro: 'Escreva algo e eu falo no seu canal de voz. Mande uma gravação e eu anoto o que é dito.',
  stepsTitle: 'Para começar',
  steps: (say, voices) =>
    `1. Entre em um canal de voz.\n2. Digite ${say} e o que devo dizer. Escolha uma voz na opção ${inlineCode('voice')}.\n3. Encontre a sua favorita em ${voices}.`,
  asVoiceMessage: (say) => `Aqui não há canal de voz, então ${say} manda uma mensagem de voz.`,
  groups: {
    speaking: 'Falar',
    listening: 'Transcrever',
    voices: 'Vozes',
    about: 'Bom saber',
    admins: 'Para admins',
    more: 'Mais',
  },
  line: (command, description) => `${command} – ${description}`,
  contextCommands: {
    Transcribe: (name) =>
      `${bold(name)} – clique com o botão direito em uma mensagem (ou toque e segure no celular) e escolha ${bold('Apps')} para ler o que é dito nela`,
    'Make a voice': (name) =>
      `${bold(name)} – clique com o botão direito em uma mensagem (ou toque e segure no celular) e escolha ${bold('Apps')} para fazer uma voz com a gravação dela`,
    'Read this aloud': (name) =>
      `${bold(name)} – clique com o botão direito em uma mensagem (ou toque e segure no celular) e escolha ${bold('Apps')} para ouvi-la no seu canal de voz`,
    'Stop reading this member': (name) =>
      `${bold(name)} – para a moderação: clique com o botão direito em um membro e escolha ${bold('Apps')} para parar ou permitir a leitura das mensagens dele`,
  },
};
