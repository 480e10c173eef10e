// What /privacy says, in French.
import { bold, inlineCode } from 'discord.js';
import type { Words } from '../words.ts';
import { format } from './format.ts';

export const privacy: Words['privacy'] = {
  title: 'Ta vie privée',
  sent: (host) =>
    host === null
      ? `${bold('Qui reçoit quoi.')} Tes textes et tes enregistrements vont à un service vocal sur ma propre machine, et nulle part ailleurs.`
      : `${bold('Qui reçoit quoi.')} Tes textes et tes enregistrements vont au service vocal ${inlineCode(host)}, sans ton nom. Son exploitant décide de ce qu’il en fait. Je ne les envoie nulle part ailleurs.`,
  notKept: `${bold('Ce que je ne garde jamais.')} Les enregistrements et les transcriptions. Je ne les écris dans aucun journal, tes textes et ton nom non plus.`,
  texts: `${bold('Textes.')} Si ma réponse ne peut pas montrer un texte tel que tu l’as écrit, parce qu’il est long par exemple, je le garde chiffré pendant 30 jours au plus pour que tu puisses le répéter. La seule clé est dans la réponse : une fois supprimée, personne ne peut lire le texte.`,
  kept: `${bold('Ce que je garde sur toi.')} Ta voix, tes voix favorites et récentes et ta vitesse, jusqu’à ce que tu les supprimes. Combien tu as consommé, en chiffres, pendant deux jours.`,
  madeVoices: `${bold('Les voix que tu crées.')} Leurs titres, qui a donné son accord et quand, jusqu’à ce que tu les supprimes. Les enregistrements ne vont qu’au service vocal. Tant que j’attends l’accord de quelqu’un, je garde ta demande scellée, 20 heures au plus.`,
  sound: (bytes) =>
    bytes === 0
      ? `${bold('Le son.')} Je n’en garde pas.`
      : `${bold('Le son.')} Je garde jusqu’à ${format.megabytes(bytes)} de son pour que les répétitions soient gratuites sur le même serveur. Les plus anciens partent d’abord, et tous après 30 jours au plus. Les noms des fichiers ne disent rien du texte. Je note quels sons sont à toi pour que tu puisses les supprimer.`,
  server: `${bold('Ce que je garde sur les serveurs.')} Les réglages, y compris qui y est muet, jusqu’à ce qu’on les change ou 30 jours après mon départ. La consommation, en chiffres sans noms, pendant 31 jours. Le volume de chaque voix, pendant 90 jours.`,
  messages: `${bold('Mes réponses.')} Ce sont des messages Discord. Ils restent jusqu’à ce que quelqu’un les supprime.`,
  localMessages: `${bold('Mes réponses.')} Ceci est le Discord local, sur ma propre machine. À la place des serveurs de Discord, il garde les messages et les pièces jointes de tout le monde pendant un jour, dans un dossier que seul son utilisateur système peut lire.`,
  openReplies:
    'Tant qu’une réponse n’est pas finie, je note où elle se trouve pour la corriger après un redémarrage. Pour celles que toi seul vois, je garde aussi la clé chiffrée qui permet de les modifier, 15 minutes au plus. Si tu m’écris directement, je note pendant un jour que je t’ai parlé de mes commandes.',
  erased: `${bold('Suppression.')} Ce que tu supprimes est écrasé aussitôt. Les autres copies dans ma base de données, comme le titre de ta voix parmi les voix récentes d’autres membres, disparaissent en 10 minutes au plus.`,
  reading: (isRead) =>
    `${bold('Lecture à voix haute.')} Là où quelqu’un l’a activée, je lis les nouveaux messages du salon dans un salon vocal. Je ne les conserve pas. Leur son reste seulement en mémoire vive, jusqu’à ce que le message soit modifié ou supprimé, et au plus une heure après la dernière écoute. Je retiens quelle voix lit les tiens sur un serveur, pendant 30 jours après la dernière lecture. Je retiens aussi dans quels salons tu l’as activée, jusqu’à ce qu’elle y soit désactivée. ${isRead ? 'Tes messages peuvent être lus.' : 'Tu as choisi que tes messages ne soient lus sur aucun serveur.'}`,
  optOutButton: 'Ne pas lire mes messages',
  optInButton: 'Lire de nouveau mes messages',
  optOutGoes: 'Tes messages seront aussi de nouveau lus à voix haute.',
  deleteButton: 'Supprimer mes données…',
  emptyButton: 'Vider le cache audio…',
  deleteQuestion: (hasSound) =>
    hasSound
      ? 'Supprimer tes voix, ta vitesse, ton dictionnaire, les textes gardés et leur son ? C’est irréversible.'
      : 'Supprimer tes voix, ta vitesse, ton dictionnaire et les textes gardés ? C’est irréversible.',
  whatStays:
    'Deux choses restent : ta consommation du jour, pendant deux jours, pour que supprimer ne remette pas ton budget à zéro ; et le fait qu’un admin t’a rendu muet sur un serveur.',
  deleteYes: 'Supprimer',
  cancel: 'Annuler',
  deleted: (sounds) =>
    sounds === 0
      ? 'C’est fait. J’ai supprimé tes données.'
      : `C’est fait. J’ai supprimé tes données et ${format.plural(sounds, { one: '# son gardé', other: '# sons gardés' })}.`,
  deletedLater: 'Une partie des sons en cache se trouve sur une machine éteinte en ce moment. Elle y sera supprimée avant toute lecture.',
  emptyQuestion: 'Vider le cache audio pour tous les membres et tous les serveurs ? Redire la même chose coûtera à nouveau du crédit.',
  emptyYes: 'Vider',
  emptied: (bytes) => `C’est fait. Le cache audio est vide, ${format.megabytes(bytes)} sont libérés.`,
  yourVoices: (titles) => `Les tiennes : ${titles}.`,
  voicesOfYou: (count) =>
    `${bold('Ta voix chez d’autres.')} ${format.plural(count, { one: '# voix d’un autre membre est faite de ton enregistrement, parce que tu as accepté.', other: '# voix d’autres membres sont faites de tes enregistrements, parce que tu as accepté.' })}`,
  voicesToo: (count) =>
    format.plural(count, {
      one: '# voix que tu as créée ou faite de ton enregistrement disparaît aussi, y compris chez le service vocal.',
      other: '# voix que tu as créées ou faites de tes enregistrements disparaissent aussi, y compris chez le service vocal.',
    }),
  voicesDeleted: (count) => format.plural(count, { one: '# voix a disparu aussi.', other: '# voix ont disparu aussi.' }),
  voicesLeft: (count) =>
    format.plural(count, {
      one: 'Le service vocal n’a pas pu supprimer # voix pour l’instant. Plus personne ne peut l’utiliser, et je continue d’essayer.',
      other: 'Le service vocal n’a pas pu supprimer # voix pour l’instant. Plus personne ne peut les utiliser, et je continue d’essayer.',
    }),
  operatorsOnly: `Seul le propriétaire du bot peut vider le cache audio. ${bold('Supprimer mes données')} retire ta part.`,
};
