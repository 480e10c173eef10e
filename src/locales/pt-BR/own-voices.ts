// What making voices of recordings says, in Brazilian Portuguese.
import { bold, hyperlink, inlineCode, userMention } from 'discord.js';
import { asMarkdown } from '../../text/untrusted-text.ts';
import type { Words } from '../words.ts';
import { code, format } from './format.ts';

const mine = inlineCode('/voice mine');

const service = (host: string | null) =>
  host === null ? 'para o serviço de voz na minha própria máquina' : `para o serviço de voz ${inlineCode(host)}`;

const titled = (title: string) => bold(asMarkdown(title, 150) || '?');

export const ownVoices: Words['ownVoices'] = {
  create: {
    operatorsOnly: `Só quem cuida do bot pode criar vozes. Escolha uma das que estão em ${inlineCode('/voices')}.`,
    adminsOnly: `Aqui, só admins do servidor e membros com certos cargos podem criar vozes. Peça a um admin para adicionar o seu cargo em ${inlineCode('/settings')}.`,
    notOutsideServers: 'Fora de servidores, só quem cuida do bot pode criar vozes. Tente em um servidor.',
    tooMany: (most) =>
      `Você tem tantas vozes quanto eu permito: ${format.number(most)}, contando as que ainda estou criando. Apague uma em ${mine} primeiro.`,

    titleMissing: 'Uma voz precisa de um título. Escreva um e tente de novo.',
    titleTooLong: (length, most) =>
      `O título tem ${format.number(length)} caracteres, e o de uma voz pode ter até ${format.number(most)}. Encurte-o.`,
    unknownLanguage: (typed) => `Não conheço o idioma ${code(typed)}. Escolha um da lista ou deixe em branco.`,
    tooLarge: (name, bytes, limit) =>
      `${code(name)} tem ${format.megabytes(bytes)}, e uma gravação pode ter até ${format.megabytes(limit)}. Envie o melhor minuto.`,
    tooShort: (seconds, least) =>
      `São ${format.duration(seconds)} ao todo, e uma voz precisa de pelo menos ${format.duration(least)}. Grave mais algumas frases.`,
    forwarded: 'Não dá para saber quem fala em uma mensagem encaminhada. Use a mensagem original.',
    fromBot: 'Esta mensagem é de um bot, então ninguém pode dar permissão. Escolha a gravação de uma pessoa.',
    cannotAskHere: (speakerId) =>
      `Só ${userMention(speakerId)} pode concordar com isso, e não posso perguntar aqui. Tente em um servidor em que eu esteja.`,
    speakerLeft: 'Quem gravou isto saiu do servidor e não pode concordar. Escolha outra gravação.',

    formTitle: 'Criar uma voz',
    formLabel: 'Título da voz',
    formAsks: 'A gravação é de outra pessoa, então vou perguntar a ela neste canal.',

    sends: (count, host) =>
      count === 1
        ? `Vou enviar a gravação ${service(host)} para fazer uma voz com ela. Não guardo cópia.`
        : `Vou enviar as gravações ${service(host)} para fazer uma voz com elas. Não guardo cópia.`,
    onlyYouMayUse: `Só você pode usar a voz, a menos que a compartilhe em ${mine}.`,
    everyoneMayUse: 'Todos neste servidor podem usar a voz.',
    ownMessage: 'É a sua própria mensagem de voz, então a decisão é sua.',
    makeButton: 'Criar minha voz',
    whoSpeaks: 'Confirme que só você fala, ou que quem fala permitiu que você faça esta voz.',
    ownButton: 'É a minha própria voz',
    permissionButton: 'Tenho permissão',

    asksSpeaker: (speakerId, makerId, url) =>
      `${userMention(speakerId)}, ${userMention(makerId)} quer fazer uma voz com ${hyperlink('a sua gravação', url)}. Se você concordar, ${userMention(makerId)} vai poder fazer essa voz dizer qualquer texto.`,
    untilThen: (host) => `Só você pode decidir. Se concordar, envio a gravação ${service(host)}. Até lá, não envio nada.`,
    agreeButton: 'Concordo',
    refuseButton: 'Não',
    onlySpeaker: (speakerId) => `Só ${userMention(speakerId)} pode responder, porque a gravação é dessa pessoa.`,
    refused: (speakerId) => `${userMention(speakerId)} não concordou. Não enviei nada.`,
    takenBack: (makerId) => `${userMention(makerId)} não quer mais a voz. Não enviei nada.`,
    makerLeft: (makerId) => `${userMention(makerId)} saiu do servidor, então a voz não é mais para ninguém. Não enviei nada.`,
    makerMayNot: (makerId) => `${userMention(makerId)} não pode mais criar vozes aqui. Não enviei nada.`,

    sending: (share) => `Enviando: ${format.percent(share)}`,
    waiting: 'Enviado. O treinamento já vai começar…',
    training: 'Treinando a voz… Costuma levar menos de um minuto.',
    withdrawn: 'Cancelado. Não enviei nada.',
    cancelButton: 'Cancelar',
    cancelled: 'Cancelado. O serviço de voz também não guarda nada.',
    interrupted: `Fui reiniciado enquanto criava esta voz. Se a gravação já tinha chegado, logo ela estará em ${mine}. Se não, crie de novo.`,
    takesLong: `O treinamento está demorando mais que o normal. Vou acompanhar: quando terminar, a voz estará em ${mine}.`,
    trainingFailed: (reason) =>
      `O serviço de voz não conseguiu fazer uma voz com isto${reason === '' ? '.' : `: ${reason}`}\n-# O ideal são de 10 a 60 segundos de uma só pessoa falando com clareza, sem música nem ruído.`,
    deletedMeanwhile: 'A voz foi apagada enquanto eu a criava. Crie de novo se ainda a quiser.',
    notMade: 'Algo deu errado do meu lado, então não há voz. Tente de novo em um minuto.',

    ready: `${bold('Pronta.')} Ela aparece primeiro na opção ${inlineCode('voice')} de ${inlineCode('/say')}.`,
    onlyOwnerMayUse: (ownerId) => `Só ${userMention(ownerId)} pode usar a voz.`,
    agreed: (speakerId) => `${userMention(speakerId)} concordou.`,
    gone: `Esta voz não existe mais. Crie outra com ${inlineCode('/voice create')}.`,
    hello: 'Olá! Esta é a minha nova voz. Diga o que devo falar, e eu falo.',
  },

  mine: {
    yours: 'sua',
    shared: 'compartilhada aqui',

    heading: 'Suas vozes',
    none: `Você ainda não criou nenhuma voz. ${inlineCode('/voice create')} faz uma a partir de uma gravação.`,
    explain: 'Mais ninguém consegue encontrar ou usar suas vozes, a menos que você as compartilhe com um servidor.',
    onlyYou: 'Só você pode usar',
    sharedWith: (here, others) => {
      if (others === 0) return 'Todos neste servidor podem usar';
      return here
        ? format.plural(others, {
            one: 'Todos neste servidor e em mais # podem usar',
            other: 'Todos neste servidor e em mais # podem usar',
          })
        : format.plural(others, { one: 'Todos em outro servidor podem usar', other: 'Todos em outros # servidores podem usar' });
    },
    made: (when) => `criada em ${when}`,
    goneAtService: 'O serviço de voz não a tem mais, então ela não pode falar.',
    edit: 'Renomear…',
    share: 'Compartilhar com este servidor',
    unshare: 'Parar de compartilhar',
    delete: 'Apagar…',

    formTitle: 'Renomear uma voz',
    titleField: 'Título',
    descriptionField: 'Descrição',
    changed: (title) => `Salvei ${titled(title)}.`,
    nowShared: (title) => `Agora todos neste servidor podem escolher ${titled(title)} em ${inlineCode('/say')}.`,
    nowPrivate: (title) => `${titled(title)} não é mais compartilhada. Quem a escolheu fica com outra voz.`,
    shareFirst: (title) =>
      `Por enquanto só você pode usar ${titled(title)}. Compartilhe antes com este servidor em ${inlineCode('/voice mine')}.`,
    deleteQuestion: (title) =>
      `Apagar ${titled(title)}, aqui e no serviço de voz, com todo o som guardado nela? Quem a usa fica com outra voz. Não dá para desfazer.`,
    deleteYes: 'Apagar',
    cancel: 'Cancelar',
    deleted: (title) => `Apaguei ${titled(title)}.`,
    deletedLater: (title) =>
      `Apaguei ${titled(title)} aqui, e ninguém mais pode usá-la. O serviço de voz não conseguiu apagá-la agora; vou continuar tentando.`,
    gone: `Esta voz não existe mais. ${inlineCode('/voice mine')} mostra as que você tem.`,
  },
};
