// The descriptions of the commands and their options, in Brazilian Portuguese.
import type { Words } from '../words.ts';

export const commands: Words['commands'] = {
  say: {
    description: 'Fale um texto no seu canal de voz',
    text: 'O que dizer',
    voice: 'Com que voz. Guardo para os seus próximos textos',
    channel: 'Em que canal de voz, se não for o seu',
    asFile: 'Mandar o som em um arquivo em vez de falar',
    speed: 'De 0.5 (lento) a 2 (rápido), 1 é normal. Guardo para os seus próximos textos',
  },
  queue: { description: 'Veja o que está tocando e o que vem depois' },
  skip: { description: 'Pule o que está tocando: o seu texto ou, se você modera, o de qualquer pessoa' },
  stop: { description: 'Descarte todos os seus textos ou, se você modera, os de todo mundo' },
  leave: { description: 'Me faça sair do canal de voz' },
  transcribe: {
    description: 'Transforme uma gravação em texto',
    audio: 'A gravação, até 20 MB',
    language: 'O idioma falado. Vazio = detectar',
    timestamps: 'Mostrar quando cada parte foi dita. Vazio = sim',
    format: 'Anexar também um arquivo',
    private: 'Mostrar a transcrição só para você',
    formats: { text: 'Texto (.txt)', srt: 'Legendas (.srt)', vtt: 'Legendas para a web (.vtt)', json: 'Dados (.json)' },
  },
  voices: {
    description: 'Explore vozes, ouça e escolha a sua',
    title: 'Palavras do título',
    tag: 'Tags, como calm ou robot, separadas por vírgulas',
    language: 'Idiomas por nome ou código, separados por vírgulas',
    author: 'Quem fez a voz',
    sort: 'O que vem primeiro',
    titleLanguage: 'Idiomas do título, por nome ou código',
    all: 'Também vozes que não falam textos: as não treinadas e as de canto',
    mine: 'Só as vozes da conta do bot (para quem cuida dele)',
    page: 'Por qual página começar',
    sorts: { score: 'Mais relevantes', task_count: 'Mais usadas', created_at: 'Mais recentes' },
  },
  status: { description: 'Descubra por que você não ouve nada' },
  credit: { description: 'Veja o que foi usado e o que resta' },
  privacy: { description: 'Veja o que guardo sobre você e apague se quiser' },
  help: { description: 'O que eu faço e como começar' },
  settings: { description: 'Me configure para este servidor: vozes, volume, quem pode me usar, limites' },
};
