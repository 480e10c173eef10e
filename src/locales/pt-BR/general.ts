// What any command may say, in Brazilian Portuguese.
import { bold, channelMention, inlineCode, roleMention, userMention } from 'discord.js';
import type { Words } from '../words.ts';
import { code, format } from './format.ts';

export const general: Words['general'] = {
  interruptedByRestart: 'Fui reiniciado antes de terminar isso. Peça de novo.',
  toMember: (userId, sentence) => `${userMention(userId)}: ${sentence}`,
  restarting: 'Estou reiniciando. Tente de novo em um minuto.',
  unknownCommand: 'Não tenho mais este comando. Recarregue o Discord para ver o que tenho agora.',
  unreadableInteraction: 'Não entendi o que o Discord me mandou. Tente de novo ou recarregue o Discord.',
  started: 'Já vou.',
  directHint: `Só entendo comandos. Digite ${inlineCode('/')} para vê-los ou use ${inlineCode('/help')}.`,
  expiredMessage: 'Esta mensagem está desatualizada. Use o comando de novo.',
  notYourButtons: (command) => `Só quem pediu pode usar estes botões. Use ${inlineCode(command)} para ter os seus.`,
  previousPage: '‹ Anterior',
  nextPage: 'Próxima ›',
};

// Refusals: members who may not use Parley, or not here, and those who ask too fast; in Brazilian Portuguese.

const settings = inlineCode('/settings');
const isShort = (ids: readonly string[]) => ids.length <= 5;

export const access: Words['access'] = {
  muted: (isAdmin) =>
    isAdmin
      ? `${inlineCode('/say')} está desligado para você aqui. Você pode ligar de novo em ${settings}.`
      : `Um admin do servidor desligou ${inlineCode('/say')} para você.`,
  roles: (ids) =>
    isShort(ids)
      ? `Aqui, só membros com ${format.or(ids.map(roleMention))} podem me usar. Um admin do servidor pode dar o cargo a você.`
      : 'Aqui, só membros com certos cargos podem me usar. Um admin do servidor pode dar um a você.',
  channels: (ids) =>
    isShort(ids)
      ? `Aqui, só funciono em ${format.or(ids.map(channelMention))}. Tente de novo lá.`
      : 'Aqui, só funciono em certos canais. Tente de novo em um deles.',
  voiceChannels: (ids) =>
    isShort(ids)
      ? `Aqui, só falo em ${format.or(ids.map(channelMention))}. Entre lá e tente de novo.`
      : 'Aqui, só falo em certos canais de voz. Entre em um deles e tente de novo.',
  channelsGone: `Os únicos canais em que eu podia funcionar aqui não existem mais. Peça a um admin do servidor para escolher outros em ${settings}.`,
  voiceChannelsGone: `Os únicos canais de voz em que eu podia falar aqui não existem mais. Peça a um admin do servidor para escolher outros em ${settings}.`,
  tooFast: (again) => `Você está indo rápido demais para mim. Tente de novo ${format.relative(again)}.`,
};

// What is wrong with an attached file, in Brazilian Portuguese.

export const attachments: Words['attachments'] = {
  notFromDiscord: (name) => `${code(name)} não está no Discord, e só leio arquivos de lá. Envie o próprio arquivo.`,
  empty: (name) => `${code(name)} está vazio. Envie de novo.`,
  tooLarge: (name, bytes, limit) =>
    `${code(name)} tem ${format.megabytes(bytes)}, e eu transcrevo até ${format.megabytes(limit)}. Corte em partes ou salve como MP3 ou Opus.`,
  notAudio: (name) => `Não consigo ler ${code(name)} como áudio. Use MP3, WAV, Ogg, Opus, FLAC, M4A ou WebM.`,
  downloadFailed: (name) => `Não consegui baixar ${code(name)} do Discord. Tente de novo ou envie outra vez.`,
  downloadGone: (name) =>
    `${code(name)} foi apagado, ou o link expirou depois de um dia. Envie de novo ou use ${inlineCode('Transcribe')} na mensagem dele.`,
  downloadIncomplete: (name) => `${code(name)} foi interrompido enquanto eu lia. Tente de novo ou envie outra vez.`,
  downloadOversized: (name) => `${code(name)} é maior do que o Discord diz, então parei de ler. Envie de novo.`,
  downloadSlow: (name) => `O Discord está mandando ${code(name)} devagar demais. Tente mais tarde.`,
};

// Why the bot can't speak in a voice channel, in Brazilian Portuguese.

export const voiceChannels: Words['voiceChannels'] = {
  permissionNames: { ViewChannel: 'Ver canal', Connect: 'Conectar', Speak: 'Falar' },
  botNotInGuild: `Só consigo falar em servidores de que sou membro. Escolha “Mensagem de voz” em ${inlineCode('send_as')} para receber o som mesmo assim.`,
  memberNotInVoice: `Você não está em um canal de voz. Entre em um ou escolha um em ${inlineCode('channel')}.`,
  botNotInVoice: `Não estou em um canal de voz. Entre em um e use ${inlineCode('/say')} para me chamar.`,
  stageChannel: (id) => `${channelMention(id)} é um palco, e eu só falo em canais de voz. Escolha um canal de voz.`,
  memberCannotConnect: (id) => `Você não pode entrar em ${channelMention(id)}, então não posso falar lá por você. Escolha outro canal.`,
  memberCannotSpeak: (id) => `Você precisa da permissão ${bold('Falar')} em ${channelMention(id)} para eu falar lá. Escolha outro canal.`,
  memberServerMuted: 'A moderação silenciou você nos canais de voz deste servidor. Volto a falar por você quando o silêncio for tirado.',
  missingPermissions: (permissions, id) =>
    `Preciso de ${format.and(permissions.map((name) => bold(name)))} em ${channelMention(id)}. Os admins do servidor podem permitir nas configurações do canal.`,
  full: (id) => `${channelMention(id)} está cheio. Espere uma vaga ou escolha outro canal.`,
};
