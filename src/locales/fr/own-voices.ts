// What making voices of recordings says, in French.
import { bold, hyperlink, inlineCode, userMention } from 'discord.js';
import { asMarkdown } from '../../text/untrusted-text.ts';
import type { Words } from '../words.ts';
import { code, format } from './format.ts';

const mine = inlineCode('/voice mine');

const service = (host: string | null) =>
  host === null ? 'au service vocal sur ma propre machine' : `au service vocal ${inlineCode(host)}`;

const titled = (title: string) => bold(asMarkdown(title, 150) || '?');

export const ownVoices: Words['ownVoices'] = {
  create: {
    operatorsOnly: `Seul le propriétaire du bot peut créer des voix. Choisis plutôt l’une de celles de ${inlineCode('/voices')}.`,
    adminsOnly: `Ici, seuls les admins du serveur et les membres qui ont certains rôles peuvent créer des voix. Demande à un admin d’ajouter ton rôle dans ${inlineCode('/settings')}.`,
    notOutsideServers: 'En dehors des serveurs, seul le propriétaire du bot peut créer des voix. Réessaie sur un serveur.',
    tooMany: (most) =>
      `Tu as autant de voix que je l’autorise : ${format.number(most)}, y compris celles en cours de création. Supprimes-en d’abord une dans ${mine}.`,

    titleMissing: 'Une voix a besoin d’un titre. Écris-en un et réessaie.',
    titleTooLong: (length, most) =>
      `Le titre fait ${format.number(length)} caractères, et celui d’une voix peut en avoir ${format.number(most)}. Raccourcis-le.`,
    unknownLanguage: (typed) => `Je ne connais pas la langue ${code(typed)}. Choisis-en une dans la liste, ou n’en indique pas.`,
    tooLarge: (name, bytes, limit) =>
      `${code(name)} fait ${format.megabytes(bytes)}, et un enregistrement peut faire jusqu’à ${format.megabytes(limit)}. Envoie la meilleure minute.`,
    tooShort: (seconds, least) =>
      `Cela fait ${format.duration(seconds)} en tout, et il faut au moins ${format.duration(least)} pour une voix. Enregistre encore quelques phrases.`,
    forwarded: 'Je ne peux pas savoir qui parle dans un message transféré. Utilise le message d’origine.',
    fromBot: 'Ce message vient d’un bot, donc personne ne peut donner son accord. Choisis l’enregistrement d’une personne.',
    cannotAskHere: (speakerId) =>
      `Seul ${userMention(speakerId)} peut donner son accord, et je ne peux pas le lui demander ici. Réessaie sur un serveur où je suis membre.`,
    speakerLeft: 'La personne qui a enregistré cela a quitté le serveur et ne peut pas donner son accord. Choisis un autre enregistrement.',

    formTitle: 'Créer une voix',
    formLabel: 'Titre de la voix',
    formAsks: 'C’est l’enregistrement de quelqu’un d’autre : je lui demanderai dans ce salon.',

    sends: (count, host) =>
      count === 1
        ? `J’enverrai l’enregistrement ${service(host)} pour en faire une voix. Je n’en garde pas de copie.`
        : `J’enverrai les enregistrements ${service(host)} pour en faire une voix. Je n’en garde pas de copie.`,
    onlyYouMayUse: `Toi seul peux utiliser cette voix, sauf si tu la partages dans ${mine}.`,
    everyoneMayUse: 'Tout le monde sur ce serveur peut utiliser cette voix.',
    ownMessage: 'C’est ton propre message vocal, donc c’est à toi de décider.',
    makeButton: 'Créer ma voix',
    whoSpeaks: 'Confirme que toi seul y parles, ou que la personne qui parle t’a permis d’en faire une voix.',
    ownButton: 'C’est ma propre voix',
    permissionButton: 'J’ai sa permission',

    asksSpeaker: (speakerId, makerId, url) =>
      `${userMention(speakerId)}, ${userMention(makerId)} veut faire une voix à partir de ${hyperlink('ton enregistrement', url)}. Si tu es d’accord, ${userMention(makerId)} pourra lui faire dire n’importe quel texte.`,
    untilThen: (host) =>
      `Toi seul peux décider. Si tu es d’accord, j’enverrai l’enregistrement ${service(host)}. D’ici là, je n’envoie rien.`,
    agreeButton: 'Je suis d’accord',
    refuseButton: 'Non',
    onlySpeaker: (speakerId) => `Seul ${userMention(speakerId)} peut répondre, car c’est son enregistrement.`,
    refused: (speakerId) => `${userMention(speakerId)} a refusé. Je n’ai rien envoyé.`,
    takenBack: (makerId) => `${userMention(makerId)} ne veut plus de cette voix. Je n’ai rien envoyé.`,
    makerLeft: (makerId) => `${userMention(makerId)} a quitté le serveur, donc cette voix n’est plus pour personne. Je n’ai rien envoyé.`,
    makerMayNot: (makerId) => `${userMention(makerId)} ne peut plus créer de voix ici. Je n’ai rien envoyé.`,

    sending: (share) => `Envoi : ${format.percent(share)}`,
    waiting: 'Envoyé. L’entraînement va commencer…',
    training: 'Entraînement de la voix… Ça prend en général moins d’une minute.',
    withdrawn: 'Annulé. Je n’ai rien envoyé.',
    cancelButton: 'Annuler',
    cancelled: 'Annulé. Le service vocal n’en garde rien non plus.',
    interrupted: `J’ai redémarré pendant la création de cette voix. Si l’enregistrement était arrivé, elle sera bientôt dans ${mine}. Sinon, recommence.`,
    takesLong: `L’entraînement dure plus longtemps que d’habitude. Je le surveille : une fois fini, la voix sera dans ${mine}.`,
    trainingFailed: (reason) =>
      `Le service vocal n’a pas pu en faire une voix${reason === '' ? '.' : ` : ${reason}`}\n-# L’idéal : 10 à 60 secondes d’une seule personne qui parle clairement, sans musique ni bruit.`,
    deletedMeanwhile: 'La voix a été supprimée pendant sa création. Recommence si tu la veux encore.',
    notMade: 'Un problème est survenu de mon côté, donc il n’y a pas de voix. Réessaie dans une minute.',

    ready: `${bold('C’est prêt.')} Tu la trouveras en premier dans l’option ${inlineCode('voice')} de ${inlineCode('/say')}.`,
    onlyOwnerMayUse: (ownerId) => `Seul ${userMention(ownerId)} peut utiliser cette voix.`,
    agreed: (speakerId) => `${userMention(speakerId)} a donné son accord.`,
    gone: `Cette voix n’existe plus. Crées-en une nouvelle avec ${inlineCode('/voice create')}.`,
    hello: 'Bonjour ! Voici ma nouvelle voix. Dis-moi quoi dire, et je le dirai.',
  },

  mine: {
    yours: 'la tienne',
    shared: 'partagée ici',

    heading: 'Tes voix',
    none: `Tu n’as pas encore créé de voix. ${inlineCode('/voice create')} en fait une à partir d’un enregistrement.`,
    explain: 'Personne d’autre ne peut trouver ni utiliser tes voix, sauf si tu les partages avec un serveur.',
    onlyYou: 'Toi seul peux l’utiliser',
    sharedWith: (here, others) => {
      if (others === 0) return 'Tout le monde sur ce serveur peut l’utiliser';
      return here
        ? format.plural(others, {
            one: 'Tout le monde sur ce serveur et # autre peut l’utiliser',
            other: 'Tout le monde sur ce serveur et # autres peut l’utiliser',
          })
        : format.plural(others, {
            one: 'Tout le monde sur # autre serveur peut l’utiliser',
            other: 'Tout le monde sur # autres serveurs peut l’utiliser',
          });
    },
    made: (when) => `créée le ${when}`,
    goneAtService: 'Le service vocal ne l’a plus, elle ne peut donc pas parler.',
    edit: 'Renommer…',
    share: 'Partager avec ce serveur',
    unshare: 'Ne plus partager',
    delete: 'Supprimer…',

    formTitle: 'Renommer une voix',
    titleField: 'Titre',
    descriptionField: 'Description',
    changed: (title) => `${titled(title)} est enregistrée.`,
    nowShared: (title) => `Tout le monde sur ce serveur peut maintenant choisir ${titled(title)} dans ${inlineCode('/say')}.`,
    nowPrivate: (title) => `${titled(title)} n’est plus partagée. Ceux qui l’avaient choisie ont une autre voix.`,
    shareFirst: (title) =>
      `Pour l’instant, toi seul peux utiliser ${titled(title)}. Partage-la d’abord avec ce serveur dans ${inlineCode('/voice mine')}.`,
    deleteQuestion: (title) =>
      `Supprimer ${titled(title)}, ici et chez le service vocal, avec tout le son gardé dans cette voix ? Ceux qui l’utilisent auront une autre voix. C’est irréversible.`,
    deleteYes: 'Supprimer',
    cancel: 'Annuler',
    deleted: (title) => `${titled(title)} est supprimée.`,
    deletedLater: (title) =>
      `${titled(title)} est supprimée ici, plus personne ne peut l’utiliser. Le service vocal n’a pas pu la supprimer pour l’instant ; je continue d’essayer.`,
    gone: `Cette voix n’existe plus. ${inlineCode('/voice mine')} montre celles que tu as.`,
  },
};
