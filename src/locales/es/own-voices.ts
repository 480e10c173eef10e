// What making voices of recordings says, in Spanish.
import { bold, hyperlink, inlineCode, userMention } from 'discord.js';
import { asMarkdown } from '../../text/untrusted-text.ts';
import type { Words } from '../words.ts';
import { code, format } from './format.ts';

const mine = inlineCode('/voice mine');

const service = (host: string | null) =>
  host === null ? 'al servicio de voz de mi propia máquina' : `al servicio de voz ${inlineCode(host)}`;

const titled = (title: string) => bold(asMarkdown(title, 150) || '?');

export const ownVoices: Words['ownVoices'] = {
  create: {
    operatorsOnly: `Solo quien gestiona el bot puede crear voces. Elige una de las de ${inlineCode('/voices')}.`,
    adminsOnly: `Aquí solo pueden crear voces los admins del servidor y quienes tienen ciertos roles. Pide a un admin que añada tu rol en ${inlineCode('/settings')}.`,
    notOutsideServers: 'Fuera de los servidores, solo quien gestiona el bot puede crear voces. Inténtalo en un servidor.',
    tooMany: (most) =>
      `Tienes tantas voces como permito: ${format.number(most)}, contando las que aún estoy creando. Borra antes una en ${mine}.`,

    titleMissing: 'Una voz necesita un título. Escribe uno e inténtalo otra vez.',
    titleTooLong: (length, most) =>
      `El título tiene ${format.number(length)} caracteres y el de una voz puede tener hasta ${format.number(most)}. Acórtalo.`,
    unknownLanguage: (typed) => `No conozco el idioma ${code(typed)}. Elige uno de la lista o no pongas ninguno.`,
    tooLarge: (name, bytes, limit) =>
      `${code(name)} ocupa ${format.megabytes(bytes)} y una grabación puede ocupar hasta ${format.megabytes(limit)}. Manda el mejor minuto.`,
    tooShort: (seconds, least) =>
      `En total son ${format.duration(seconds)} y una voz necesita al menos ${format.duration(least)}. Graba unas frases más.`,
    forwarded: 'No puedo saber quién habla en un mensaje reenviado. Usa el mensaje original.',
    fromBot: 'Este mensaje es de un bot, así que nadie puede dar su permiso. Elige la grabación de una persona.',
    cannotAskHere: (speakerId) =>
      `Solo ${userMention(speakerId)} puede dar su permiso y aquí no puedo preguntarle. Inténtalo en un servidor en el que yo esté.`,
    speakerLeft: 'Quien grabó esto ha dejado el servidor y no puede dar su permiso. Elige otra grabación.',

    formTitle: 'Crear una voz',
    formLabel: 'Título de la voz',
    formAsks: 'La grabación es de otra persona, así que le preguntaré en este canal.',

    sends: (count, host) =>
      count === 1
        ? `Mandaré la grabación ${service(host)} para hacer una voz con ella. No guardo ninguna copia.`
        : `Mandaré las grabaciones ${service(host)} para hacer una voz con ellas. No guardo ninguna copia.`,
    onlyYouMayUse: `Solo tú puedes usar la voz, a no ser que la compartas en ${mine}.`,
    everyoneMayUse: 'Todos en este servidor pueden usar la voz.',
    ownMessage: 'Es tu propio mensaje de voz, así que decides tú.',
    makeButton: 'Crear mi voz',
    whoSpeaks: 'Confirma que solo hablas tú o que quien habla te ha permitido hacer esta voz.',
    ownButton: 'Es mi propia voz',
    permissionButton: 'Tengo permiso',

    asksSpeaker: (speakerId, makerId, url) =>
      `${userMention(speakerId)}, ${userMention(makerId)} quiere hacer una voz con ${hyperlink('tu grabación', url)}. Si aceptas, ${userMention(makerId)} podrá hacerle decir cualquier texto.`,
    untilThen: (host) => `Solo decides tú. Si aceptas, mandaré la grabación ${service(host)}. Hasta entonces no mando nada.`,
    agreeButton: 'Acepto',
    refuseButton: 'No',
    onlySpeaker: (speakerId) => `Solo ${userMention(speakerId)} puede responder, porque la grabación es suya.`,
    refused: (speakerId) => `${userMention(speakerId)} no ha aceptado. No he mandado nada.`,
    takenBack: (makerId) => `${userMention(makerId)} ya no quiere la voz. No he mandado nada.`,
    makerLeft: (makerId) => `${userMention(makerId)} ha dejado el servidor, así que la voz ya no es para nadie. No he mandado nada.`,
    makerMayNot: (makerId) => `${userMention(makerId)} ya no puede crear voces aquí. No he mandado nada.`,

    sending: (share) => `Enviando: ${format.percent(share)}`,
    waiting: 'Enviado. Falta que empiece el entrenamiento…',
    training: 'Entrenando la voz… Suele tardar menos de un minuto.',
    withdrawn: 'Cancelado. No he mandado nada.',
    cancelButton: 'Cancelar',
    cancelled: 'Cancelado. El servicio de voz tampoco guarda nada.',
    interrupted: `Me reinicié mientras creaba esta voz. Si la grabación ya había llegado, pronto estará en ${mine}. Si no, créala otra vez.`,
    takesLong: `El entrenamiento tarda más de lo normal. Estaré pendiente: cuando termine, la voz estará en ${mine}.`,
    trainingFailed: (reason) =>
      `El servicio de voz no pudo hacer una voz con esto${reason === '' ? '.' : `: ${reason}`}\n-# Lo mejor son de 10 a 60 segundos de una sola persona que hable claro, sin música ni ruido.`,
    deletedMeanwhile: 'La voz se borró mientras la creaba. Créala otra vez si todavía la quieres.',
    notMade: 'Algo falló por mi parte, así que no hay voz. Inténtalo dentro de un minuto.',

    ready: `${bold('Lista.')} La verás la primera en la opción ${inlineCode('voice')} de ${inlineCode('/say')}.`,
    onlyOwnerMayUse: (ownerId) => `Solo ${userMention(ownerId)} puede usar la voz.`,
    agreed: (speakerId) => `${userMention(speakerId)} ha aceptado.`,
    gone: `Esta voz ya no existe. Crea otra con ${inlineCode('/voice create')}.`,
    hello: '¡Hola! Esta es mi nueva voz. Dime qué digo y lo diré.',
  },

  mine: {
    yours: 'tuya',
    shared: 'compartida aquí',

    heading: 'Tus voces',
    none: `Todavía no has creado ninguna voz. ${inlineCode('/voice create')} hace una a partir de una grabación.`,
    explain: 'Nadie más puede encontrar ni usar tus voces, salvo que las compartas con un servidor.',
    onlyYou: 'Solo tú puedes usarla',
    sharedWith: (here, others) => {
      if (others === 0) return 'Todos en este servidor pueden usarla';
      return here
        ? format.plural(others, {
            one: 'Todos en este servidor y en # más pueden usarla',
            other: 'Todos en este servidor y en # más pueden usarla',
          })
        : format.plural(others, { one: 'Todos en # servidor más pueden usarla', other: 'Todos en otros # servidores pueden usarla' });
    },
    made: (when) => `creada el ${when}`,
    goneAtService: 'El servicio de voz ya no la tiene, así que no puede hablar.',
    edit: 'Cambiar nombre…',
    share: 'Compartir con este servidor',
    unshare: 'Dejar de compartir',
    delete: 'Borrar…',

    formTitle: 'Cambiar el nombre de una voz',
    titleField: 'Título',
    descriptionField: 'Descripción',
    changed: (title) => `He guardado ${titled(title)}.`,
    nowShared: (title) => `Ahora todos en este servidor pueden elegir ${titled(title)} en ${inlineCode('/say')}.`,
    nowPrivate: (title) => `${titled(title)} ya no se comparte. Quienes la eligieron tienen otra voz.`,
    shareFirst: (title) =>
      `Por ahora solo tú puedes usar ${titled(title)}. Compártela antes con este servidor en ${inlineCode('/voice mine')}.`,
    deleteQuestion: (title) =>
      `¿Borrar ${titled(title)}, aquí y en el servicio de voz, con todo el sonido guardado en ella? Quienes la usan tendrán otra voz. No se puede deshacer.`,
    deleteYes: 'Borrar',
    cancel: 'Cancelar',
    deleted: (title) => `He borrado ${titled(title)}.`,
    deletedLater: (title) =>
      `He borrado ${titled(title)} aquí y ya nadie puede usarla. El servicio de voz no ha podido borrarla todavía; lo seguiré intentando.`,
    gone: `Esta voz ya no existe. ${inlineCode('/voice mine')} muestra las que tienes.`,
  },
};
