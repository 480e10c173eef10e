// What /read, Read this aloud and Stop reading this member say, and the section of /settings for reading, in Brazilian Portuguese.
import { bold, channelMention, inlineCode, roleMention, userMention } from 'discord.js';
import type { Words } from '../words.ts';
import { code, format } from './format.ts';

const start = inlineCode('/read start');
const stop = inlineCode('/read stop');
const settings = inlineCode('/settings');
const channels = (ids: readonly string[]) => format.and(ids.map(channelMention));

export const reading: Words['reading'] = {
  noAccess: `O Discord não me deixa ler mensagens. Quem cuida do bot pode ligar ${bold('Message Content Intent')} no portal de desenvolvedores e me reiniciar. Até lá, só consigo ler mensagens avulsas com ${bold('Read this aloud')}.`,
  notInGuild: 'Só consigo ler canais em servidores de que sou membro. Peça a um admin para me adicionar aqui.',
  notAllowed: (roles) =>
    roles.length === 0
      ? `Você precisa de ${bold('Gerenciar servidor')} para começar ou parar a leitura. Os admins podem liberar mais cargos em ${settings}.`
      : `Você precisa de ${bold('Gerenciar servidor')} ou ${format.or(roles.map(roleMention))} para começar ou parar a leitura. Um admin pode dar o cargo a você.`,
  privateThread: `Não leio tópicos privados em voz alta, porque pessoas que não foram convidadas os ouviriam. Use ${start} em um canal.`,
  noVoiceChannel: `Você não está em um canal de voz. Entre em um ou escolha um em ${inlineCode('voice_channel')}.`,
  cannotSeeVoice: 'Você não pode ver esse canal de voz. Escolha outro.',
  cannotSeeText: (id) => `Você não pode ver ${channelMention(id)}, então não pode pedir que ele seja lido em voz alta.`,
  iCannotSee: (id) =>
    `Não consigo ver o que é escrito em ${channelMention(id)}. Um admin do servidor pode me permitir ${bold('Ver canal')} lá.`,
  alreadyReading: (text, voice) => `Já estou lendo ${channelMention(text)} em voz alta em ${channelMention(voice)}.`,
  readingElsewhere: (texts, voice) =>
    `Em ${channelMention(voice)} há gente me ouvindo ler ${channels(texts)}, e só posso estar em um canal de voz por vez. Use ${stop} antes ou escolha esse canal de voz.`,
  exposed: (who, text, voice) =>
    `${bold('Pessoas que não podem ver este canal ouviriam o que é escrito.')}\nPodem entrar em ${channelMention(voice)}, mas não ver ${channelMention(text)}: ${format.and(who)}. Ler mesmo assim?`,
  everyone: 'todos',
  others: (count) => format.plural(count, { one: 'mais #', other: 'mais #' }),
  startAnyway: 'Ler mesmo assim',
  cancel: 'Cancelar',
  cancelled: 'Tudo bem, não vou ler.',
  startedAnyway: 'Tudo bem, vou ler.',
  started: (member, text, voice) =>
    `${userMention(member)} ligou a leitura em voz alta: agora leio o que é escrito em ${channelMention(text)} para todos em ${channelMention(voice)}.`,
  resumed: (member, text, voice) =>
    `${userMention(member)} me trouxe de volta: voltei a ler o que é escrito em ${channelMention(text)} para todos em ${channelMention(voice)}.`,
  optOut: `Não quer que suas mensagens sejam lidas? Use ${inlineCode('/read me off')}.`,
  skipOne: (prefix) => `Para eu pular uma mensagem, comece com ${code(prefix)}.`,
  stopped: (member, texts) => `${userMention(member)} desligou a leitura em voz alta de ${channels(texts)}.`,
  stoppedAlways: `Está configurado para ser sempre lido, então volto quando todos tiverem saído do canal de voz e alguém entrar de novo. Os admins podem mudar isso em ${settings}.`,
  notReading: `Não estou lendo nenhum canal em voz alta. Comece com ${start}.`,
  stillReading: `Continuo lendo as mensagens novas. Para encerrar, use ${stop}.`,
  pausedReading: `Volto a ler quando todos tiverem saído do canal de voz e alguém entrar de novo, ou com ${start}.`,
  leaveStops: (texts) => `Estou lendo ${channels(texts)} em voz alta aqui, e isso pararia se eu saísse.`,
  meOff: (dropped) =>
    dropped === 0
      ? 'Pronto. Não vou ler suas mensagens em voz alta em nenhum servidor.'
      : `Pronto. Não vou ler suas mensagens em voz alta em nenhum servidor. ${format.plural(dropped, { one: 'Descartei # que esperava.', other: 'Descartei # que esperavam.' })}`,
  meOn: 'Pronto. Volto a ler suas mensagens em voz alta onde isso estiver ligado.',
  mutedHere: `Neste servidor, a moderação desligou a leitura das suas mensagens. Peça a um admin: dá para desfazer com ${bold('Stop reading this member')} ou em ${settings}.`,
  authorOptedOut: (id) => `${userMention(id)} não quer que suas mensagens sejam lidas em voz alta.`,
  authorMuted: (id) => `A leitura das mensagens de ${userMention(id)} está desligada neste servidor.`,
  nothingToRead: 'Não há nada nesta mensagem que eu consiga ler. Escolha uma com palavras.',
  messageGone: 'A mensagem foi apagada antes que eu pudesse lê-la.',
  readsMessage: (author, link) => `Pede a leitura da [mensagem](${link}) de ${userMention(author)}`,
  muted: (id) =>
    `Pronto. Não leio mais as mensagens de ${userMention(id)}, que também não pode usar ${inlineCode('/say')}. Os admins podem desfazer isso com este comando ou em ${settings}.`,
  unmuted: (id) => `Pronto. Volto a ler as mensagens de ${userMention(id)}, que pode usar ${inlineCode('/say')} de novo.`,
  onlyAdminsUnmute: (id) =>
    `Já não leio as mensagens de ${userMention(id)}. Só os admins podem desfazer isso, com este comando ou em ${settings}.`,
  cannotMuteMe: 'Não leio minhas próprias mensagens. Escolha outra pessoa.',
  status: {
    title: 'Leitura em voz alta',
    reads: (text, voice) => `Leio ${channelMention(text)} em ${channelMention(voice)}.`,
    readsAlways: (text, voice) => `Sempre leio ${channelMention(text)} em ${channelMention(voice)}.`,
    paused: {
      leave: `Agora não estou lendo: alguém me tirou do canal de voz com ${inlineCode('/leave')}. Volto quando todos tiverem saído dele e alguém entrar de novo, ou com ${start}.`,
      disconnect: `Agora não estou lendo: a moderação me desconectou do canal de voz. Volto quando todos tiverem saído dele e alguém entrar de novo, ou com ${start}.`,
    },
    stopped: (texts) =>
      `Sempre leio ${channels(texts)}, mas alguém desligou isso com ${stop}. Volto quando todos tiverem saído do canal de voz e alguém entrar de novo, ou com ${start}.`,
    nothing: `Não estou lendo nenhum canal em voz alta. Use ${start} no que devo ler.`,
    nothingWaits: 'Nada está esperando',
    waiting: (messages, delay) =>
      `${format.plural(messages, { one: '# mensagem está esperando', other: '# mensagens estão esperando' })}; uma nova é ouvida em cerca de ${format.duration(delay)}`,
    faster: (factor) => `Estou falando ${format.number(factor, 1)} vezes mais rápido para acompanhar`,
    nameless: 'Estou deixando de fora os nomes para acompanhar',
    skipped: (count) => format.plural(count, { one: 'Pulei # mensagem para acompanhar', other: 'Pulei # mensagens para acompanhar' }),
    left: (characters, resets) =>
      characters === null
        ? 'Este servidor não tem limite diário'
        : `Ainda hoje para este servidor: ${format.plural(characters, { one: '# caractere', other: '# caracteres' })} (renova ${resets})`,
    usedUp: (resets) => `Este servidor já usou tudo de hoje. Volta ${resets}.`,
    optedOut: `Você escolheu não ser lido, então não leio suas mensagens. Desfaça com ${inlineCode('/read me on')}.`,
    slowVoice: (title) => `${title} é lenta demais neste computador para ler em voz alta, então leio suas mensagens com outra voz.`,
    problem: (sentence, at) => `Último problema, ${at}: ${sentence}`,
    titles: { now: 'Agora', here: 'Em', you: 'Você' },
    viewChannelNext: 'sem isso não recebo nenhuma mensagem; um admin do servidor pode permitir',
    optional: {
      SendMessages: 'sem isso não consigo escrever aqui por que algo não é ouvido',
      AddReactions: 'sem isso não consigo marcar mensagens que não são ouvidas',
      ReadMessageHistory: 'sem isso não consigo marcar mensagens que não são ouvidas nem ler as encaminhadas',
    },
    permissionNames: {
      SendMessages: 'Enviar mensagens',
      AddReactions: 'Adicionar reações',
      ReadMessageHistory: 'Ver histórico de mensagens',
    },
  },
  panel: {
    always: 'Sempre lidos',
    pair: (text, voice) => `${text} em ${voice}`,
    alwaysMenu: 'Sempre ler: escolha o canal de voz',
    textMenu: 'Canais de texto sempre lidos ali',
    who: {
      everyone: 'Ler as mensagens de todos',
      listeners: 'Só de quem está no canal de voz',
    },
    optionsMenu: 'Nem nomes, nem bots, nem reações',
    options: {
      names: { label: 'Dizer quem escreve', description: 'Uma vez, quando outra pessoa escreve' },
      bots: { label: 'Ler bots', description: 'Também mensagens de outros bots e de webhooks' },
      reactions: { label: 'Marcar o que não é ouvido', description: 'Com uma reação à mensagem' },
    },
    roles: 'Cargos que são lidos',
    rolesMenu: 'Cargos que são lidos (nenhum = todos)',
    readerRoles: 'Podem começar e parar a leitura',
    readerRolesMenu: 'Outros cargos que podem',
    adminsOnly: 'só os admins',
    delay: 'Uma mensagem nova é ouvida em até',
    seconds: (count) => format.plural(count, { one: '# segundo', other: '# segundos' }),
    prefix: 'Não é lida se começar com',
    formTitle: 'Leitura em voz alta',
    delayLabel: 'Segundos até a mensagem ser ouvida',
    delayHint: (least, most, usual) =>
      `De ${format.number(least)} a ${format.number(most)}. Vazio = ${format.number(usual)}. Se houver mais, pulo algumas.`,
    prefixLabel: 'Pular mensagens que começam com',
    prefixHint: 'Vazio = ler todas as mensagens',
  },
};

// What is said while a channel is read aloud, in Brazilian Portuguese.

export const readingNotices: Words['readingNotices'] = {
  skipped: (count) => format.plural(count, { one: '# mensagem pulada.', other: '# mensagens puladas.' }),
  goesOn: 'Continuo com as mensagens novas assim que voltar a funcionar.',
  mostUsed: (share, left) =>
    format.plural(left, {
      one: `Este servidor já usou ${format.percent(share)} do limite de fala de hoje. Ainda resta # caractere para ler em voz alta e para ${inlineCode('/say')}.`,
      other: `Este servidor já usou ${format.percent(share)} do limite de fala de hoje. Ainda restam # caracteres para ler em voz alta e para ${inlineCode('/say')}.`,
    }),
  channelGone: 'O canal de voz não existe mais, então parei de ler este canal em voz alta.',
};

// What a voice says in place of what it cannot say, and around a message that is read aloud, in Brazilian Portuguese.

export const heard: Words['heard'] = {
  inPlace: { link: 'link', spoiler: 'spoiler', someone: 'alguém', role: 'um cargo', channel: 'um canal' },
  code: 'código',
  linkTo: (site) => `um link para ${site}`,
  messageLink: 'um link para uma mensagem',
  gif: 'um GIF',
  repeated: (emoji, count) => `${emoji} ${format.number(count)} vezes`,

  says: (name, text) => `${name} diz: ${text}`,
  saysTo: (name, to, text) => `${name} para ${to}: ${text}`,
  to: (to, text) => `para ${to}: ${text}`,
  sends: (name, what) => `${name} envia ${what}`,
  with: (what) => `com ${what}`,
  forwarded: (text) => `uma mensagem encaminhada: ${text}`,
  forwardedUnread: 'uma mensagem encaminhada',
  pictures: (count) => format.plural(count, { one: 'uma imagem', other: '# imagens' }),
  gifs: (count) => format.plural(count, { one: 'um GIF', other: '# GIFs' }),
  videos: (count) => format.plural(count, { one: 'um vídeo', other: '# vídeos' }),
  sounds: (count) => format.plural(count, { one: 'um áudio', other: '# áudios' }),
  files: (count) => format.plural(count, { one: 'um arquivo', other: '# arquivos' }),
  voiceMessage: (seconds) => (seconds === null ? 'uma mensagem de voz' : `uma mensagem de voz de ${format.duration(seconds)}`),
  sticker: (name) => `a figurinha ${name}`,
  poll: (question) => `uma enquete: ${question}`,
  and: format.and,
  or: format.or,
};
