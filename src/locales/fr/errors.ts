// What members read when something failed, in French.
import { inlineCode } from 'discord.js';
import type { Words } from '../words.ts';
import { code, format } from './format.ts';

export const errors: Words['errors'] = {
  api: {
    auth: 'Le service vocal refuse ma clé. Le propriétaire du bot doit s’en occuper.',
    credit: 'Le crédit du service vocal est épuisé. Le propriétaire du bot doit le recharger.',
    'not-found': 'Le service vocal ne trouve pas ça. Vérifie ton choix et réessaie.',
    'rate-limited': (again) => `Le service vocal est très occupé. Réessaie ${again}.`,
    server: (again) => `Le service vocal a des problèmes. Réessaie ${again}.`,
    timeout: (again) => `Le service vocal a mis trop de temps à répondre. Réessaie ${again}.`,
    aborted: 'Ceci a été arrêté avant la réponse du service vocal. Réessaie.',
    protocol: 'Je ne comprends pas la réponse du service vocal. Réessaie dans une minute.',
  },
  brokenOff: 'La réponse du service vocal s’est interrompue. Réessaie dans une minute.',
  inAMinute: 'dans une minute',
  unreachable: (again) => `Je n’arrive pas à joindre le service vocal. Réessaie ${again}.`,
  down: (since, again) => `Le service vocal est en panne (constaté ${since}). Réessaie ${again}.`,
  refused: 'Le service vocal n’accepte pas ça. Change-le et réessaie.',
  refusedField: (field, reason) => `Le service vocal n’accepte pas ça (${field} : ${reason}). Change-le et réessaie.`,
  maybeCharged: 'Cela compte quand même, car le service l’a peut-être facturé.',
  unsupported: {
    catalogue: `Ce service vocal n’a pas de liste de voix. Si tu connais l’identifiant d’une voix, utilise-le dans ${inlineCode('/say')}.`,
    transcription: 'Ce service vocal ne transcrit pas ; il parle seulement.',
    credit: 'Ce service vocal n’indique pas de solde.',
    speech: `Ce service vocal ne parle pas. Le propriétaire du bot peut vérifier ${code('VOICE_API_URL')}.`,
    'live-speech': 'Ce service vocal ne parle pas en temps réel. Réessaie.',
    'own-voices': 'Ce service vocal ne peut pas créer de voix.',
  },
  voice: {
    busy: 'Je parle dans un autre salon de ce serveur. Rejoins-le, ou réessaie quand j’aurai fini.',
    hearing: 'Je sous-titre un autre salon de ce serveur. Rejoins-le, ou réessaie quand les sous-titres seront terminés.',
    'join-timeout':
      'Discord ne m’a pas laissé entrer à temps dans le salon vocal. Réessaie. Si ça continue, une autre région dans les paramètres du salon peut aider.',
    'encryption-timeout':
      'Le chiffrement de bout en bout du salon vocal n’a pas démarré, donc je n’ai rien dit. Réessaie, ou demande à tout le monde de quitter le salon et d’y revenir.',
    'channel-full': 'Le salon vocal est plein. Attends une place libre ou choisis un autre salon.',
    'not-permitted':
      'Je n’ai pas le droit de rejoindre ce salon vocal ou d’y parler. Les admins du serveur peuvent l’autoriser dans les paramètres du salon.',
    muted: 'Je suis muet sur ce serveur. Un modérateur peut me rendre le micro d’un clic droit sur mon nom dans le salon vocal.',
    'member-muted':
      'Un modérateur t’a rendu muet dans les salons vocaux de ce serveur, donc j’ai cessé de parler pour toi. Je reparlerai pour toi quand ce sera levé.',
    untrusted:
      'Je ne peux pas vérifier le serveur vocal de Discord, donc je n’ai rien dit. Le propriétaire du bot peut vérifier l’horloge et les certificats de la machine.',
    kicked: 'Un modérateur m’a déconnecté du salon vocal, donc la file est vide maintenant. Réessaie pour me faire revenir.',
    'channel-gone': 'Le salon vocal a été supprimé, donc la file est vide maintenant. Rejoins-en un autre et réessaie.',
    'sending-failed':
      'Un problème de mon côté a empêché l’envoi du son, alors j’ai quitté le salon vocal. Réessaie. Si ça continue, préviens le propriétaire du bot.',
    closing: 'Je redémarre, donc ceci n’a pas été fini. Réessaie dans une minute.',
    disconnected: 'J’ai quitté le salon vocal, donc la file est vide maintenant. Réessaie pour me faire revenir.',
    refused: 'Discord a refusé la connexion vocale. Essaie un autre salon.',
  },
  status: (status) => `Statut ${status}`,
  request: (id) => `Requête ${code(id)}`,
  code: (code) => `Code ${code}`,
  budget: {
    switchedOff: {
      speech: `La parole est désactivée sur ce serveur. Les admins du serveur peuvent l’autoriser dans ${inlineCode('/settings')}, sous Budgets.`,
      transcription: `La transcription est désactivée sur ce serveur. Les admins du serveur peuvent l’autoriser dans ${inlineCode('/settings')}, sous Budgets.`,
    },
    overCap: {
      member: (cap) => `C’est plus que ton budget du jour : ${cap}. Raccourcis.`,
      guild: (cap) => `C’est plus que le budget du jour de ce serveur : ${cap}. Raccourcis.`,
    },
    raise: { admin: 'Les admins du serveur peuvent l’augmenter dans `/settings`.', operator: 'Le propriétaire du bot peut l’augmenter.' },
    usedUp: {
      member: {
        speech: (resets) => `Ton budget de parole du jour est épuisé. Il repart à zéro ${resets}.`,
        transcription: (resets) => `Ton budget de transcription du jour est épuisé. Il repart à zéro ${resets}.`,
      },
      guild: {
        speech: (resets) => `Le budget de parole de ce serveur est épuisé pour aujourd’hui. Il repart à zéro ${resets}.`,
        transcription: (resets) => `Le budget de transcription de ce serveur est épuisé pour aujourd’hui. Il repart à zéro ${resets}.`,
      },
    },
    left: {
      member: (left, resets) =>
        `Il te reste ${left} aujourd’hui, et il en faut plus. Raccourcis, ou attends : ton budget repart à zéro ${resets}.`,
      guild: (left, resets) =>
        `Il reste à ce serveur ${left} aujourd’hui, et il en faut plus. Raccourcis, ou attends : son budget repart à zéro ${resets}.`,
    },
  },
  amount: {
    speech: (characters) => format.plural(characters, { one: '# caractère à dire', other: '# caractères à dire' }),
    transcription: (seconds) => `${format.duration(seconds)} de transcription`,
  },
  unexpected: (reference) =>
    `Quelque chose a mal tourné de mon côté. Réessaie. Si ça continue, préviens le propriétaire du bot.\n-# Référence ${code(reference)}`,
  storeFailed:
    'Je ne peux pas lire ni enregistrer mes données pour l’instant, donc rien n’a changé. Réessaie dans une minute.\n-# Pour le propriétaire du bot : vérifier le disque, ou le stockage partagé.',
  discordFailed: (status) => `Discord a des problèmes, donc ma réponse n’est pas arrivée. Réessaie dans une minute.\n-# Statut ${status}`,
  discordBusy: (at) => `J’ai atteint une limite de Discord. Réessaie ${format.relative(at)}.`,
  noPermission: 'Discord ne me laisse pas faire ça ici. Les admins du serveur peuvent vérifier mes permissions dans ce salon.',
  badAudio: 'Le service vocal a envoyé autre chose que du son. Réessaie ou choisis une autre voix.',
  endlessAudio: 'La voix n’arrêtait plus de parler, alors je l’ai coupée. Réessaie ou choisis une autre voix.',
  brokenAudio: 'Le son du service vocal s’est interrompu. Réessaie ou choisis une autre voix.',
};
