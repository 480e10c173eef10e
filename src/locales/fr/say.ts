// What /say and the buttons of its replies say, in French.
import { bold, channelMention, inlineCode, userMention } from 'discord.js';
import type { Words } from '../words.ts';
import { code, format } from './format.ts';

const characters = (count: number) => format.plural(count, { one: '# caractère', other: '# caractères' });

export const say: Words['say'] = {
  noText: `Il n’y a rien à dire. Écris quelques mots dans ${inlineCode('text')}.`,
  nothingSpeakable: 'Il n’y a rien à prononcer dans ce texte. Écris au moins un mot ou un nombre.',
  andSoOn: 'et ainsi de suite',
  unknownVoice: (voice, closest) =>
    closest.length === 0
      ? `Je ne trouve aucune voix appelée ${code(voice)}. Choisis-en une dans la liste ou parcours ${inlineCode('/voices')}.`
      : `Je ne trouve aucune voix appelée ${code(voice)}. Choisis-en une dans la liste ou parcours ${inlineCode('/voices')}. Les plus proches : ${format.and(closest.map((title) => code(title)))}.`,
  voiceReplaced: (gone, used) =>
    `Je ne peux pas utiliser la voix ${code(gone)} ici, alors j’ai pris ${code(used)}. Choisis-en une autre dans ${inlineCode('/voices')}.`,
  voiceIsYours: `Elle est à toi : ${inlineCode('/voice mine')} montre ce qui ne va pas.`,
  voiceNotHere: `Je ne peux pas utiliser cette voix ici. Choisis-en une autre dans ${inlineCode('/voices')}.`,
  speedUnsupported: `Ce service vocal ne peut pas changer la vitesse. Réessaie avec ${inlineCode('speed')} 1 ; je m’en souviendrai.`,
  tooSlow: (count) =>
    `C’est trop long pour cette voix sur cet ordinateur. Raccourcis à environ ${characters(count)}, ou choisis une voix plus rapide.`,
  textGone: `Je n’ai plus ce texte. Tape-le à nouveau avec ${inlineCode('/say')}.`,
  confirm: (count, share) =>
    `Cela prendrait environ ${format.percent(share)} du crédit restant (${characters(count)}). Le dire quand même ?`,
  tooExpensive: (count, share) =>
    `Cela prendrait environ ${format.percent(share)} du crédit restant (${characters(count)}). Dis-le en plusieurs parties.`,
  confirmMaking: (count) => `Le son n’est plus en mémoire : le refaire prendrait ${characters(count)} du crédit. Le refaire ?`,
  confirmButton: 'Le dire',
  makeButton: 'Le refaire',
  stopButton: 'Arrêter',
  skipButton: 'Passer',
  cancelButton: 'Annuler',
  moreMenu: 'Et maintenant ?',
  replay: 'Répéter',
  saveAsFile: 'Enregistrer le son',
  sendAsVoiceMessage: 'Envoyer en message vocal',
  sayMore: 'Dire autre chose',
  showText: 'Montrer tout le texte',
  sayMoreTitle: (voice) => `Dire autre chose : ${voice}`,
  sayMoreLabel: 'Que dois-je dire ?',
  textHidden: 'Ce serveur masque ce qui est dit.',
  recentVoice: 'récente',
  favouriteVoice: 'favorite',
  fileTooLarge: (limit) => `Le fichier dépasserait ${format.megabytes(limit)}, la limite de Discord ici. Essaie un texte plus court.`,
  voiceMessageInstead: 'Je ne peux parler que sur les serveurs où l’on m’a ajouté, alors voici un message vocal.',
  voiceMessageForbidden:
    'Je n’ai pas le droit d’envoyer des messages vocaux ici (Envoyer des messages vocaux), alors voici le son dans un fichier.',
  voiceMessageRefused: 'Discord ne l’a pas accepté comme message vocal, alors voici le son dans un fichier.',
  voiceMessageTooLong: (minutes) =>
    `Un message vocal dure ${format.plural(minutes, { one: '# minute', other: '# minutes' })} au plus, alors voici le son dans un fichier.`,
  nobodyThere: (channelId) => `Il n’y a personne dans ${channelMention(channelId)} en ce moment.`,
  speed: (factor) => `${format.number(factor, 2)}×`,
  inChannel: (channelId) => channelMention(channelId),
  speaking: 'Je parle',
  queued: (before) => (before === 1 ? 'Juste après' : format.plural(before, { one: '# texte avant', other: '# textes avant' })),
  interrupted: (seconds) => `Coupé après ${format.duration(seconds)}`,
  interruptedByRestart: 'J’ai redémarré avant la fin',
  notSpoken: 'Pas dit',
  spoken: (seconds) => `Dit en ${format.duration(seconds)}`,
  shortened: 'raccourci à la limite de ce serveur',
  characters,
  fromCache: 'en cache, donc gratuit',
  cachedSoundGone: (budget) => `Le son gardé a été supprimé pendant que ce texte attendait, donc il n’est plus gratuit. ${budget}`,
  skipped: 'Passé',
  stopped: 'Arrêté',
  cancelled: 'Annulé',
  cancelledCharged: (count) => `Annulé. Le service vocal l’avait déjà produit, donc ${characters(count)} comptent quand même`,
  chargedUnheard: (count) => `Le service vocal l’avait déjà produit, donc ${characters(count)} comptent quand même.`,
  defaultVoice: 'Voix par défaut',
};

// What /queue, /skip, /stop and /leave say, in French.

export const queue: Words['queue'] = {
  full: (most) =>
    format.plural(most, {
      one: 'La file est pleine avec # texte. Réessaie bientôt.',
      other: 'La file est pleine avec # textes. Réessaie bientôt.',
    }),
  tooManyWaiting: (most) =>
    format.plural(most, {
      one: `Tu as déjà # texte dans la file. Attends qu’il soit fini, ou retire-le avec ${inlineCode('/stop')}.`,
      other: `Tu as déjà # textes dans la file. Attends que l’un d’eux soit fini, ou retire-les avec ${inlineCode('/stop')}.`,
    }),
  onlyOwnerCanSkip: (ownerId) => `Seul ${userMention(ownerId)} ou un modérateur peut passer ce texte.`,
  onlyOwnerCanStop: (ownerId) => `Seul ${userMention(ownerId)} ou un modérateur peut arrêter ce texte.`,
  onlyOwnerCanUse: (ownerId) => `Seul ${userMention(ownerId)} ou un modérateur peut faire ça.`,
  onlyModerators: 'Seul un modérateur peut faire ça.',
  empty: 'Rien n’est en cours.',
  nothingToStop: 'Aucun de tes textes n’est en cours ni en attente.',
  othersWaiting: `D’autres ont encore des textes dans la file, donc seul un modérateur peut me faire partir. Les modérateurs ont ${bold('Rendre des membres muets')} ou ${bold('Gérer les messages')} dans mon salon vocal.`,
  skipped: (ownerId) => `Le texte de ${userMention(ownerId)} est passé.`,
  skippedOwn: 'Ton texte est passé.',
  stopped: (count) => format.plural(count, { one: 'Arrêté. J’ai retiré # texte.', other: 'Arrêté. J’ai retiré # textes.' }),
  left: (channelId) => `J’ai quitté ${channelMention(channelId)}.`,
  nowPlaying: 'En cours',
  upNext: 'Ensuite',
  starting: 'Ça commence…',
  timeLeft: (seconds) => `Encore ${format.duration(seconds)} environ`,
  almostDone: 'Presque fini',
  lasts: (seconds) => `environ ${format.duration(seconds)}`,
  removeButton: 'Retirer',
  alreadyGone: 'Ce texte n’est plus dans la file.',
  pageOf: (page, pages) => `Page ${format.number(page)} sur ${format.number(pages)}`,
};
