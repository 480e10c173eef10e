// Captions of a voice channel, in Brazilian Portuguese.
import { bold, channelMention, inlineCode, roleMention, userMention } from 'discord.js';
import type { Words } from '../words.ts';
import { format } from './format.ts';

const start = inlineCode('/captions start');
const privacyCommand = inlineCode('/privacy');
const captionMe = bold('Me legendar');
const stopMe = bold('Parar de me legendar');

export const captions: Words['captions'] = {
  notInGuild: 'Só posso legendar canais de voz de servidores dos quais sou membro. Me convide primeiro.',
  noVoiceChannel: `Não sei de qual canal de voz você está falando. Entre nele ou use ${start} no chat dele.`,
  noSpareCalls:
    'Não posso legendar aqui: só posso fazer uma chamada ao serviço de voz por vez, e as legendas bloqueariam todo o resto. Quem opera o bot pode aumentar `VOICE_API_CONCURRENCY` para 2 ou mais.',
  notAllowed: (roleIds) =>
    roleIds.length > 0
      ? `Aqui, só membros com ${format.or(roleIds.map(roleMention))} podem iniciar legendas. Um admin do servidor pode te dar o cargo.`
      : 'Aqui, só membros com certos cargos podem iniciar legendas, e esses cargos não existem mais. Peça a um admin do servidor para escolher outros.',
  channelNotAllowed: (channelIds) =>
    channelIds.length > 0
      ? `Aqui, as legendas só são permitidas em ${format.or(channelIds.map(channelMention))}. Entre e tente de novo.`
      : `Os canais de voz onde as legendas são permitidas não existem mais. Peça a um admin do servidor para escolher outros em ${inlineCode('/settings')}.`,
  missing: (permissions, channelId) =>
    `Para escrever legendas, preciso de ${format.and(permissions.map((name) => bold(name)))} em ${channelMention(channelId)}. Os admins do servidor podem permitir isso nas configurações do canal.`,
  cannotConnect: (channelId) =>
    `Você não pode entrar em ${channelMention(channelId)}, então não pode iniciar legendas lá. Escolha outro canal de voz.`,
  alreadyOn: (link) => `As legendas já estão ativadas: ${link}`,
  elsewhere: (channelId) =>
    `Estou legendando em ${channelMention(channelId)} e só posso estar em um canal de voz. Tente de novo quando terminar lá.`,
  started: (link) => `As legendas estão ativadas: ${link}\nSó ouço quem clicar em ${captionMe} lá.`,
  notOn: `As legendas não estão ativadas neste servidor. ${start} ativa.`,
  mayNotStop: (starterId) =>
    `As legendas podem ser encerradas por ${userMention(starterId)}, que as iniciou, por um moderador ou pelo último membro legendado. Para você ficar de fora, clique em ${stopMe}.`,
  stopped: 'Pronto. As legendas estão desativadas.',
  leaveStops: 'Estou legendando esse canal de voz, e sair encerraria as legendas.',

  title: (channelId) => `Legendas de ${channelMention(channelId)}`,
  what: `O que se fala lá é escrito aqui para todos lerem. Só ouço quem clica em ${captionMe}: o som dos outros nem é descriptografado.`,
  sound: (host) =>
    host === null
      ? 'O som de cada frase vai para um serviço de voz na minha própria máquina, e ninguém o guarda. As palavras só ficam nas minhas mensagens aqui.'
      : `O som de cada frase vai para o serviço de voz em ${inlineCode(host)}, sem o seu nome. Eu não o guardo. As palavras só ficam nas minhas mensagens aqui.`,
  consent: (isKept) =>
    isKept
      ? `Se você concordar, eu lembro disso neste servidor por 90 dias, ou até você clicar em ${stopMe}.`
      : 'Pergunto todas as vezes: quando estas legendas terminam, esqueço quem concordou.',
  startedBy: (memberId) => `Iniciadas por ${userMention(memberId)}`,
  captioned: (memberIds, more) =>
    `${bold('Legendados:')} ${memberIds.length === 0 ? 'ninguém ainda' : [...memberIds.map(userMention), ...(more > 0 ? [`e mais ${format.number(more)}`] : [])].join(' ')}`,
  unheard: (memberIds) =>
    `⚠️ ${bold('Não dá para ouvir:')} ${memberIds.map(userMention).join(' ')}. O som não pode ser descriptografado; sair do canal de voz e entrar de novo costuma resolver.`,
  outOfBudget: (memberId, at) =>
    `⚠️ ${userMention(memberId)} usou todo um orçamento diário de transcrição. As legendas voltam ${format.relative(at)}.`,
  serverOutOfBudget: (at) => `⚠️ Este servidor usou todo o orçamento diário de transcrição. As legendas voltam ${format.relative(at)}.`,
  cost: (seconds, cost) =>
    `Até agora: ${format.duration(seconds)} de fala, dos orçamentos de quem falou${cost === null ? '' : `, cerca de ${format.significant(cost)} de crédito`}`,
  captionButton: 'Me legendar',
  stopButton: 'Parar de me legendar',
  deleteButton: 'Apagar minhas palavras',
  languageMenu: 'O idioma que eu falo (só para mim)',
  hasEnded: 'As legendas terminaram',

  isOn: (isKept) =>
    isKept
      ? `Pronto. O que você disser será legendado, aqui e quando houver legendas neste servidor nos próximos 90 dias. ${stopMe} ou ${privacyCommand} desfaz isso.`
      : `Pronto. O que você disser será legendado até estas legendas terminarem ou até você clicar em ${stopMe}.`,
  isOff: `Pronto. Não ouço mais você. O que estava sendo escrito foi descartado; para remover o que já está aqui, clique em ${bold('Apagar minhas palavras')}.`,
  isOffUnstored: `Pronto. Não ouço mais você. Não consigo salvar isso agora, mas continuo tentando. Se eu for reiniciado antes de conseguir, clique de novo em ${bold('Parar de me legendar')}.`,
  excluded: 'Um admin deste servidor decidiu que membros com um dos seus cargos nunca são legendados.',
  wordsDeleted: (count) =>
    count === 0 ? 'Não há nada seu aqui.' : `Pronto. Apaguei ${format.plural(count, { one: '# linha sua', other: '# linhas suas' })}.`,
  languageChosen: (name) => (name === null ? 'Pronto. Vou detectar o idioma que você fala.' : `Pronto. Vou esperar que você fale ${name}.`),
  notCaptioned: `Você não está sendo legendado. Clique primeiro em ${captionMe}.`,
  endedAlready: `Estas legendas terminaram. ${start} ativa de novo.`,

  behind: (seconds) => `Estou ${format.duration(seconds)} atrasado.`,
  dropped: (name, seconds) => `Deixei de fora ${format.duration(seconds)} do que ${name} disse.`,
  failed: 'O serviço de voz não está funcionando agora, então falta parte do que se fala. Continuo tentando.',
  resumed: 'Fui interrompido. Pode faltar o que foi dito logo antes disto.',

  ended: {
    stopped: (memberId) => `As legendas terminaram: ${userMention(memberId)} as desativou.`,
    nobody: 'As legendas terminaram: por dois minutos, ninguém legendado esteve no canal de voz.',
    moved: 'As legendas terminaram: um moderador me moveu ou me desconectou.',
    left: 'As legendas terminaram: saí do canal de voz.',
    channelGone: 'As legendas terminaram: o canal de voz foi excluído.',
    lost: `As legendas terminaram: perdi a conexão com o canal de voz. ${start} ativa de novo.`,
    unwritable: 'As legendas terminaram: não consigo mais escrever neste canal.',
    interrupted: `As legendas terminaram: fiquei offline por tempo demais. ${start} ativa de novo.`,
    unavailable: 'As legendas terminaram: não consigo transcrever fala nesta máquina. O dono do bot pode ver o motivo no meu log.',
  },
  noTranscript: 'Desta vez não há transcrição, porque não consegui ler tudo o que é preciso. As legendas acima ficam.',
  transcriptName: (channel) => `Legendas de ${channel}`,
  threadName: (channel) => `Legendas de ${channel}`,
  voiceStatus: '💬 Legendas ativadas',

  spoken: {
    begin: 'As legendas estão ativadas. Só escrevo o que diz quem clica em “Me legendar” no chat.',
    joined: 'Aqui há legendas. Se quiser que suas palavras sejam escritas, clique em “Me legendar” no chat.',
  },
  permissionNames: { CreatePublicThreads: 'Criar tópicos públicos' },
  status: (channelId, count) =>
    `Legendas: ativadas em ${channelMention(channelId)}, ${format.plural(count, { one: '# membro', other: '# membros' })}`,

  panel: {
    starters: 'Podem iniciar legendas',
    startersMenu: 'Cargos que podem iniciar legendas (nenhum = todos)',
    channels: 'Legendas permitidas em',
    channelsMenu: 'Canais de voz para legendas (nenhum = todos)',
    excluded: 'Nunca legendados',
    excludedMenu: 'Cargos que nunca são legendados',
    consentName: 'Concordância',
    consent: { kept: 'Lembrar por 90 dias quem concordou', each: 'Perguntar a todos a cada vez' },
    placeName: 'Escritas em',
    place: { chat: 'No chat do canal de voz', thread: 'Em um tópico' },
    placeWhat: {
      chat: 'Onde quer que sejam iniciadas',
      thread: 'Do canal de texto onde são iniciadas; o chat de um canal de voz não tem tópicos',
    },
    languageName: 'Idioma falado',
    language: (name) => `Idioma: ${name}`,
  },

  privacy: (count) =>
    `${bold('Legendas.')} Em canais de voz com legendas, só ouço você se tiver concordado. O som fica na memória por uma frase; as palavras só ficam nas minhas mensagens. ${
      count === 0
        ? 'Você não concordou em nenhum lugar.'
        : `Lembro por 90 dias que você concordou em ${format.plural(count, { one: '# servidor', other: '# servidores' })}, com o idioma que escolheu.`
    }`,
  consentGoes: 'Isso também retira sua concordância em ser legendado, em todos os lugares.',
};
