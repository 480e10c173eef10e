// Voice messages that are answered with their words, in Brazilian Portuguese.
import { bold, channelMention, inlineCode } from 'discord.js';
import type { Words } from '../words.ts';
import { format } from './format.ts';

const privacyCommand = inlineCode('/privacy');
const transcribe = bold('Transcribe');

export const voiceMessages: Words['voiceMessages'] = {
  notice: {
    asked: (files) =>
      `${bold('Prefere ler a ouvir?')} Posso responder a ${files ? 'mensagens de voz e arquivos de áudio' : 'mensagens de voz'} deste canal com o texto. Só faço isso para quem liga: aperte o botão ou use ${privacyCommand}. Depois vale em todos os servidores que oferecem isso.`,
    everyone: (files) =>
      `${bold('A partir de agora')} respondo a ${files ? 'mensagens de voz e arquivos de áudio' : 'mensagens de voz'} deste canal com o texto. Não quer isso para as suas? Aperte o botão ou use ${privacyCommand}. Depois vale em todos os servidores.`,
    kept: 'O som vai para o serviço de voz. Não guardo nem o som nem o texto: ele fica só na minha resposta, que apago quando você apaga sua mensagem.',
  },
  onButton: 'Transcrever minhas mensagens de voz',
  offButton: 'Não transcrever minhas mensagens de voz',
  stayOutButton: 'Não me transcrever',
  isOn: `Pronto. Vou responder às suas mensagens de voz com o texto, onde um servidor oferecer isso. Para desfazer, use ${privacyCommand}.`,
  isOff: `Pronto. Não vou mais responder às suas mensagens de voz com o texto, em nenhum servidor. Para desfazer, use ${privacyCommand}.`,
  isOffAndDeleted: `Pronto. Apaguei minha resposta e não vou mais responder às suas mensagens de voz com o texto, em nenhum servidor. Para desfazer, use ${privacyCommand}.`,

  tooLong: (minutes) =>
    `Isto passa de ${format.duration(60 * minutes)}, o máximo que transcrevo por conta própria neste servidor. Use ${transcribe} na mensagem.`,
  tooMany: `São mensagens de voz demais de uma vez, então deixei algumas de fora. Use ${transcribe} nelas.`,
  littleCredit: `Resta pouco crédito, então não transcrevo isto por conta própria. Use ${transcribe} na mensagem.`,

  panel: {
    noAccess: `Não vejo as mensagens de voz quando chegam: quem cuida do bot precisa ligar a leitura de mensagens (${inlineCode('READ_MESSAGES')}) e, no Discord, ${bold('Message Content Intent')}. Até lá, os membros podem usar ${transcribe} em uma mensagem.`,
    channels: 'Respostas a mensagens de voz em',
    lacks: (id, permissions) =>
      `⚠️ Ainda não respondo em ${channelMention(id)}: lá preciso de ${format.and(permissions.map((name) => bold(name)))}.`,
    channelsMenu: 'Canais em que respondo (nenhum = desligado)',
    who: { asked: 'Só quem liga', everyone: 'Todo mundo que não desliga' },
    whoWhat: {
      asked: 'Publico uma mensagem com um botão em cada canal',
      everyone: 'Digo em cada canal como ficar de fora. Avise também seus membros',
    },
    optionsMenu: 'Nem spoiler, nem arquivos de áudio',
    options: {
      spoiler: { label: 'Esconder o texto', description: 'Como spoiler, até alguém apertar' },
      files: { label: 'Arquivos de áudio também', description: 'Gravações anexadas, não só mensagens de voz' },
    },
    longestName: 'Mensagem de voz mais longa',
    longest: (minutes) => `Até ${format.duration(60 * minutes)}`,
    languageName: 'Idioma falado',
    language: (name) => `Idioma: ${name}`,
  },
  permissionNames: { AttachFiles: 'Anexar arquivos', SendMessagesInThreads: 'Enviar mensagens em tópicos' },

  privacy: (isOn) => {
    const choice =
      isOn === null
        ? 'Você não decidiu: só respondo às suas onde um servidor faz isso com todo mundo.'
        : isOn
          ? 'Você ligou isso para as suas, em todos os servidores que oferecem.'
          : 'Você desligou isso para as suas, em todos os servidores.';
    return `${bold('Mensagens de voz.')} Onde admins configuraram isso, respondo às mensagens de voz com o texto delas. Lembro por 30 dias qual resposta é de qual mensagem, para apagar uma com a outra. ${choice}`;
  },
  optOutGoes: 'Também esqueço que você não quer suas mensagens de voz transcritas.',
  wordsToo: 'Minhas respostas com o texto das suas mensagens de voz dos últimos 30 dias também são apagadas.',
};
