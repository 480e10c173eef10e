// What /say and the buttons of its replies say, in Brazilian Portuguese.
import { bold, channelMention, inlineCode, userMention } from 'discord.js';
import type { Words } from '../words.ts';
import { code, format } from './format.ts';

const characters = (count: number) => format.plural(count, { one: '# caractere', other: '# caracteres' });

export const say: Words['say'] = {
  noText: `Não há nada para dizer. Escreva algumas palavras em ${inlineCode('text')}.`,
  nothingSpeakable: 'Não há nada neste texto que eu consiga falar. Escreva pelo menos uma palavra ou um número.',
  andSoOn: 'e assim por diante',
  unknownVoice: (voice, closest) =>
    closest.length === 0
      ? `Não encontro nenhuma voz chamada ${code(voice)}. Escolha uma da lista ou explore ${inlineCode('/voices')}.`
      : `Não encontro nenhuma voz chamada ${code(voice)}. Escolha uma da lista ou explore ${inlineCode('/voices')}. As mais parecidas: ${format.and(closest.map((title) => code(title)))}.`,
  voiceReplaced: (gone, used) =>
    `Não posso usar a voz ${code(gone)} aqui, então usei ${code(used)}. Escolha outra em ${inlineCode('/voices')}.`,
  voiceIsYours: `Ela é sua: ${inlineCode('/voice mine')} mostra o que há de errado com ela.`,
  voiceNotHere: `Não posso usar esta voz aqui. Escolha outra em ${inlineCode('/voices')}.`,
  speedUnsupported: `Este serviço de voz não consegue mudar a velocidade. Tente de novo com ${inlineCode('speed')} 1; vou me lembrar disso.`,
  tooSlow: (count) =>
    `É longo demais para esta voz neste computador. Encurte para cerca de ${characters(count)} ou escolha uma voz mais rápida.`,
  textGone: `Não tenho mais este texto. Digite de novo com ${inlineCode('/say')}.`,
  confirm: (count, share) =>
    `Isso usaria cerca de ${format.percent(share)} do crédito que resta (${characters(count)}). Falar mesmo assim?`,
  tooExpensive: (count, share) =>
    `Isso usaria cerca de ${format.percent(share)} do crédito que resta (${characters(count)}). Divida em partes menores.`,
  confirmMaking: (count) => `O som não está mais guardado, então fazer de novo usaria ${characters(count)} do crédito. Fazer?`,
  confirmButton: 'Falar',
  makeButton: 'Fazer',
  stopButton: 'Parar',
  skipButton: 'Pular',
  cancelButton: 'Cancelar',
  moreMenu: 'E agora?',
  replay: 'Repetir',
  saveAsFile: 'Salvar como arquivo',
  sendAsVoiceMessage: 'Enviar como mensagem de voz',
  sayMore: 'Dizer mais',
  showText: 'Mostrar o texto inteiro',
  sayMoreTitle: (voice) => `Dizer mais: ${voice}`,
  sayMoreLabel: 'O que devo dizer?',
  textHidden: 'Este servidor esconde o que é dito.',
  recentVoice: 'recente',
  favouriteVoice: 'favorita',
  fileTooLarge: (limit) => `O arquivo passaria de ${format.megabytes(limit)}, o limite do Discord aqui. Tente um texto mais curto.`,
  voiceMessageInstead: 'Só consigo falar em servidores de que sou membro, então aqui está uma mensagem de voz.',
  voiceMessageForbidden: 'Não posso enviar mensagens de voz aqui (Enviar mensagens de voz), então aqui está o som em um arquivo.',
  voiceMessageRefused: 'O Discord não aceitou isto como mensagem de voz, então aqui está o som em um arquivo.',
  voiceMessageTooLong: (minutes) =>
    `Mensagens de voz duram no máximo ${format.plural(minutes, { one: '# minuto', other: '# minutos' })}, então aqui está o som em um arquivo.`,
  nobodyThere: (channelId) => `Não há ninguém em ${channelMention(channelId)} agora.`,
  speed: (factor) => `${format.number(factor, 2)}×`,
  inChannel: (channelId) => channelMention(channelId),
  speaking: 'Falando agora',
  queued: (before) => (before === 1 ? 'É o próximo' : format.plural(before, { one: '# texto na frente', other: '# textos na frente' })),
  interrupted: (seconds) => `Interrompido depois de ${format.duration(seconds)}`,
  interruptedByRestart: 'Fui reiniciado antes de terminar',
  notSpoken: 'Não foi falado',
  spoken: (seconds) => `Falado em ${format.duration(seconds)}`,
  shortened: 'cortado no limite deste servidor',
  characters,
  fromCache: 'do cache, por isso grátis',
  cachedSoundGone: (budget) => `O som guardado foi apagado enquanto este texto esperava, então ele não é mais grátis. ${budget}`,
  skipped: 'Pulado',
  stopped: 'Parado',
  cancelled: 'Cancelado',
  cancelledCharged: (count) => `Cancelado. O serviço de voz já tinha gerado o som, então o uso conta mesmo assim: ${characters(count)}`,
  chargedUnheard: (count) => `O serviço de voz já tinha gerado o som, então o uso conta mesmo assim: ${characters(count)}.`,
  defaultVoice: 'Voz padrão',
};

// What /queue, /skip, /stop and /leave say, in Brazilian Portuguese.

export const queue: Words['queue'] = {
  full: (most) =>
    format.plural(most, {
      one: 'A fila está cheia, com # texto. Tente de novo daqui a pouco.',
      other: 'A fila está cheia, com # textos. Tente de novo daqui a pouco.',
    }),
  tooManyWaiting: (most) =>
    format.plural(most, {
      one: `Você já tem # texto na fila. Espere ele terminar ou descarte com ${inlineCode('/stop')}.`,
      other: `Você já tem # textos na fila. Espere um terminar ou descarte todos com ${inlineCode('/stop')}.`,
    }),
  onlyOwnerCanSkip: (ownerId) => `Só ${userMention(ownerId)} ou a moderação pode pular isto.`,
  onlyOwnerCanStop: (ownerId) => `Só ${userMention(ownerId)} ou a moderação pode parar isto.`,
  onlyOwnerCanUse: (ownerId) => `Só ${userMention(ownerId)} ou a moderação pode fazer isso.`,
  onlyModerators: 'Só a moderação pode fazer isso.',
  empty: 'Nada está tocando.',
  nothingToStop: 'Nenhum texto seu está tocando ou esperando.',
  othersWaiting: `Ainda há textos de outras pessoas na fila, então só a moderação pode me fazer sair. Isso vale para quem tem ${bold('Silenciar membros')} ou ${bold('Gerenciar mensagens')} no meu canal de voz.`,
  skipped: (ownerId) => `Pulei o texto de ${userMention(ownerId)}.`,
  skippedOwn: 'Pulei o seu texto.',
  stopped: (count) => format.plural(count, { one: 'Parei. Descartei # texto.', other: 'Parei. Descartei # textos.' }),
  left: (channelId) => `Saí de ${channelMention(channelId)}.`,
  nowPlaying: 'Tocando agora',
  upNext: 'A seguir',
  starting: 'Começando…',
  timeLeft: (seconds) => `Faltam cerca de ${format.duration(seconds)}`,
  almostDone: 'Quase no fim',
  lasts: (seconds) => `cerca de ${format.duration(seconds)}`,
  removeButton: 'Remover',
  alreadyGone: 'Esse texto não está mais na fila.',
  pageOf: (page, pages) => `Página ${format.number(page)} de ${format.number(pages)}`,
};
