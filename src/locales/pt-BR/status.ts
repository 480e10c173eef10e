// What /status says, in Brazilian Portuguese.
import { bold, channelMention, inlineCode } from 'discord.js';
import type { Words } from '../words.ts';
import { format } from './format.ts';

const say = inlineCode('/say');
const settings = inlineCode('/settings');
const louder = `clique com o botão direito no meu nome no canal de voz e aumente o ${bold('Volume do usuário')}`;

export const status: Words['status'] = {
  notInGuild: `Aqui não estou em um servidor, então não há canal de voz. Com ${say}, mando uma mensagem de voz.`,
  notInVoice: `Você não está em um canal de voz. Entre em um e use ${say}.`,
  speaksElsewhere: (id) => `Estou falando em ${channelMention(id)}. Entre lá para me ouvir.`,
  stage: (id) => `${channelMention(id)} é um palco, e não consigo falar em palcos. Entre em um canal de voz.`,
  serverDeaf: 'A moderação ensurdeceu você neste servidor. Peça para desfazer.',
  selfDeaf: 'Você se ensurdeceu. Clique no fone de ouvido ao lado do seu nome.',
  elsewhere: (mine, theirs) =>
    `Estou falando em ${channelMention(mine)}, mas você está em ${channelMention(theirs)}. Venha para cá ou espere eu terminar.`,
  missing: (permissions, id) =>
    `Preciso de ${format.and(permissions.map((name) => bold(name)))} em ${channelMention(id)}. Um admin do servidor pode permitir nas configurações do canal, ou escolha outro canal.`,
  serverMute: `Estou silenciado neste servidor, então ninguém me ouve. Me chame para um canal de voz com ${say}; aí a moderação pode clicar com o botão direito no meu nome e tirar o silêncio.`,
  full: (id) => `${channelMention(id)} está cheio. Espere alguém sair ou escolha outro canal.`,
  silent: `Meu volume neste servidor está em 0%. Os admins do servidor podem aumentar em ${settings}.`,
  underWay: {
    connecting: 'Estou entrando no seu canal de voz. Só um instante.',
    encrypting: 'Estou no seu canal de voz, preparando a criptografia de ponta a ponta. Só um instante.',
    reconnecting: 'A conexão de voz caiu e estou reconectando. Continuo em alguns segundos.',
  },
  stuck: {
    connecting: 'O Discord não me deixa entrar no canal de voz. Tente de novo. Se continuar, mude a região nas configurações do canal.',
    encrypting: 'A criptografia de ponta a ponta não funciona no seu canal de voz. Peça para todo mundo sair e entrar de novo.',
    reconnecting: `A conexão de voz caiu e não volta. Use ${inlineCode('/leave')} e tente de novo.`,
  },
  moving: 'Estou me mudando para outra máquina. Primeiro termino o que estou falando, depois continuo com o resto.',
  storeGone: `Não consigo salvar nem ler meus dados agora, então ${say} não funciona. Tente de novo em um minuto.\n-# Para quem cuida do bot: verifique o disco ou o armazenamento compartilhado.`,
  service: (problem) => `O serviço de voz não está funcionando. ${problem}`,
  others: `Estou falando para outra pessoa, e não há nada seu na fila. Não ouve nada? Então ${louder}.`,
  queued: (before) =>
    format.plural(before, {
      one: `Seu texto espera atrás de # outro. Veja em ${inlineCode('/queue')}.`,
      other: `Seu texto espera atrás de # outros. Veja em ${inlineCode('/queue')}.`,
    }),
  speaking: `Estou falando para você agora. Não ouve nada? Então ${louder} e confira o dispositivo de saída nas suas configurações de voz.`,
  slow: (seconds) => `Tudo funciona, mas o serviço de voz está lento (${format.duration(seconds)}), então posso começar atrasado.`,
  ready: `Tudo funciona, e nada está tocando. Experimente ${say}. Se não me ouvir, ${louder}.`,
  titles: {
    here: 'Este canal',
    voice: 'Seu canal de voz',
    connection: 'Conexão de voz',
    you: 'Você',
    service: 'Serviço de voz',
    credit: 'Crédito (só quem cuida do bot vê)',
    whole: 'O bot inteiro (só quem cuida do bot vê)',
  },
  good: (what) => `✓ ${what}`,
  bad: (what, next) => `✗ ${what}: ${next}`,
  permissionNext: 'um admin do servidor pode permitir',
  sendMessages: 'Enviar mensagens',
  sendMessagesNext: 'só é preciso para transcrições de mais de 15 minutos; sem ela, vão por MD',
  viewChannel: 'Ver canal',
  notMuted: 'Não estou silenciado',
  muted: 'Estou silenciado',
  mutedNext: 'a moderação pode desfazer',
  room: 'Tem lugar para mim',
  isFull: 'Está cheio',
  fullNext: 'espere alguém sair',
  noChannel: 'Nenhum. Entre em um para me ouvir.',
  isStage: 'É um palco. Entre em um canal de voz.',
  hears: 'Você não está ensurdecido',
  deaf: 'Você está ensurdecido',
  selfDeafNext: 'clique no fone de ouvido ao lado do seu nome',
  serverDeafNext: 'peça à moderação para desfazer',
  allowed: `Você pode usar ${say} aqui`,
  notAllowed: `Você não pode usar ${say} aqui`,
  notConnected: 'Ainda nenhuma. Eu me conecto quando você usar /say.',
  connection: {
    connecting: (channel, since) => `${channel}, entrando desde ${since}`,
    encrypting: (channel, since) => `${channel}, preparando a criptografia desde ${since}`,
    ready: (channel, since) => `${channel}, conectado ${since}`,
    reconnecting: (channel, since) => `${channel}, caiu ${since}`,
    closed: (channel, since) => `${channel}, encerrada ${since}`,
  },
  movingFrom: (channel) => `${channel}, mudando para outra máquina`,
  encrypted: 'Criptografada de ponta a ponta',
  notEncrypted: 'Sem criptografia de ponta a ponta',
  notEncryptedNext: 'não há mais ninguém lá, ou o Discord a desligou nesta chamada',
  ping: (ms) => `Ping: ${format.number(ms)} ms`,
  queueLength: (length) => `Fila: ${length === 0 ? 'vazia' : format.plural(length, { one: '# texto', other: '# textos' })}`,
  volumeIs: (volume) => `Volume: ${format.percent(volume)}`,
  answered: (ms) => `Respondeu em ${format.number(ms)} ms`,
  fewSessions: (left, until) =>
    `Fui reiniciado tantas vezes que o Discord só me deixará conectar mais ${format.plural(left, { one: '# vez', other: '# vezes' })} até ${until}. Depois disso, eu ficaria offline até lá. Meu log diz por que fui reiniciado.`,
  noCatalogue: 'Ele não tem lista de vozes, então não consigo verificar sem gastar crédito.',
  noAnswer: (seconds) =>
    `Não respondeu em ${format.plural(seconds, { one: '# segundo', other: '# segundos' })}. Tente de novo em um minuto. Se continuar, avise quem cuida do bot.`,
  wholeBot: {
    processes: (count) => format.plural(count, { one: '# processo', other: '# processos' }),
    shards: (count) => format.plural(count, { one: '# shard', other: '# shards' }),
    servers: (count) => format.plural(count, { one: '# servidor', other: '# servidores' }),
    speakingIn: (count) => `falando em ${format.number(count)}`,
    free: (list, count) => `Nenhum processo tem ${format.plural(count, { one: `o shard ${list}`, other: `os shards ${list}` })}`,
    freeNext: `os servidores afetados ficam sem resposta; se continuar, inicie outro processo ou aumente ${inlineCode('SHARDS_PER_PROCESS')}`,
    moving: (list, count) => `A caminho de outro processo: ${format.plural(count, { one: `shard ${list}`, other: `shards ${list}` })}`,
    shardList: (list, count) => format.plural(count, { one: `shard ${list}`, other: `shards ${list}` }),
    noShards: 'nenhum shard',
    started: (since) => `iniciado ${since}`,
    answersHere: (shard) => `responde aqui (shard ${format.number(shard)})`,
    leaving: 'encerrando',
    serviceDown: 'não alcança o serviço de voz',
    more: (count) => format.plural(count, { one: 'e mais # processo', other: 'e mais # processos' }),
    unknown: 'Não consigo ler o armazenamento compartilhado agora, então não sei como estão os outros processos.',
  },
};
