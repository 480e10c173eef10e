// Voice messages that are answered with their words, in French.
import { bold, channelMention, inlineCode } from 'discord.js';
import type { Words } from '../words.ts';
import { format } from './format.ts';

const privacyCommand = inlineCode('/privacy');
const transcribe = bold('Transcribe');

export const voiceMessages: Words['voiceMessages'] = {
  notice: {
    asked: (files) =>
      `${bold('Plutôt lire qu’écouter ?')} Dans ce salon, je peux répondre aux ${files ? 'messages vocaux et aux fichiers audio' : 'messages vocaux'} par leur texte. Je ne le fais que pour les personnes qui l’activent : appuie sur le bouton ou utilise ${privacyCommand}. Cela vaut ensuite sur tous les serveurs qui le proposent.`,
    everyone: (files) =>
      `${bold('À partir de maintenant')}, je réponds aux ${files ? 'messages vocaux et aux fichiers audio' : 'messages vocaux'} de ce salon par leur texte. Tu ne le veux pas pour les tiens ? Appuie sur le bouton ou utilise ${privacyCommand}. Cela vaut ensuite sur tous les serveurs.`,
    kept: 'Le son va au service vocal. Je ne garde ni le son ni le texte : il n’est que dans ma réponse, que je supprime quand tu supprimes ton message.',
  },
  onButton: 'Transcrire mes messages vocaux',
  offButton: 'Ne pas transcrire mes messages vocaux',
  stayOutButton: 'Ne pas me transcrire',
  isOn: `C’est fait. Je répondrai à tes messages vocaux par leur texte, là où un serveur le propose. Pour annuler, utilise ${privacyCommand}.`,
  isOff: `C’est fait. Je ne répondrai plus à tes messages vocaux par leur texte, sur aucun serveur. Pour annuler, utilise ${privacyCommand}.`,
  isOffAndDeleted: `C’est fait. J’ai supprimé ma réponse, et je ne répondrai plus à tes messages vocaux par leur texte, sur aucun serveur. Pour annuler, utilise ${privacyCommand}.`,

  tooLong: (minutes) =>
    `C’est plus long que ${format.duration(60 * minutes)}, le maximum que je transcris de moi-même sur ce serveur. Utilise ${transcribe} sur le message.`,
  tooMany: `Cela fait trop de messages vocaux à la fois, j’en ai donc laissé de côté. Utilise ${transcribe} sur ceux-là.`,
  littleCredit: `Il reste peu de crédit, je ne transcris donc pas cela de moi-même. Utilise ${transcribe} sur le message.`,

  panel: {
    noAccess: `Je ne vois pas arriver les messages vocaux : le propriétaire du bot doit activer la lecture des messages (${inlineCode('READ_MESSAGES')}) et, chez Discord, ${bold('Message Content Intent')}. D’ici là, les membres peuvent utiliser ${transcribe} sur un message.`,
    channels: 'Réponses aux messages vocaux dans',
    lacks: (id, permissions) =>
      `⚠️ Je ne réponds pas encore dans ${channelMention(id)} : il m’y faut ${format.and(permissions.map((name) => bold(name)))}.`,
    channelsMenu: 'Salons où je réponds (aucun = désactivé)',
    who: { asked: 'Seulement les personnes qui l’activent', everyone: 'Toutes celles qui ne le désactivent pas' },
    whoWhat: {
      asked: 'Je publie un message avec un bouton dans chaque salon',
      everyone: 'Je dis à chaque salon comment s’en exclure. Préviens aussi tes membres',
    },
    optionsMenu: 'Ni spoiler, ni fichiers audio',
    options: {
      spoiler: { label: 'Cacher le texte', description: 'En spoiler, jusqu’à ce qu’on appuie dessus' },
      files: { label: 'Les fichiers audio aussi', description: 'Les enregistrements joints, pas seulement les messages vocaux' },
    },
    longestName: 'Message vocal le plus long',
    longest: (minutes) => `Jusqu’à ${format.duration(60 * minutes)}`,
    languageName: 'Langue parlée',
    language: (name) => `Langue : ${name}`,
  },
  permissionNames: { AttachFiles: 'Joindre des fichiers', SendMessagesInThreads: 'Envoyer des messages dans les fils' },

  privacy: (isOn) => {
    const choice =
      isOn === null
        ? 'Tu n’as rien décidé : je ne réponds aux tiens que là où un serveur le fait pour tout le monde.'
        : isOn
          ? 'Tu l’as activé pour les tiens, sur tous les serveurs qui le proposent.'
          : 'Tu l’as désactivé pour les tiens, sur tous les serveurs.';
    return `${bold('Messages vocaux.')} Là où des admins l’ont mis en place, je réponds aux messages vocaux par leur texte. Je retiens pendant 30 jours quelle réponse va avec quel message, pour supprimer l’une avec l’autre. ${choice}`;
  },
  optOutGoes: 'J’oublierai aussi que tu ne veux pas que tes messages vocaux soient transcrits.',
  wordsToo: 'Mes réponses avec le texte de tes messages vocaux des 30 derniers jours seront aussi supprimées.',
};
