// What /status says, in French.
import { bold, channelMention, inlineCode } from 'discord.js';
import type { Words } from '../words.ts';
import { format } from './format.ts';

const say = inlineCode('/say');
const settings = inlineCode('/settings');
const louder = `fais un clic droit sur mon nom dans le salon vocal et monte le ${bold('Volume de l’utilisateur')}`;

export const status: Words['status'] = {
  notInGuild: `Je ne suis pas sur un serveur ici, donc il n’y a pas de salon vocal. Avec ${say}, je t’envoie un message vocal.`,
  notInVoice: `Tu n’es dans aucun salon vocal. Rejoins-en un, puis utilise ${say}.`,
  speaksElsewhere: (id) => `Je parle dans ${channelMention(id)}. Rejoins ce salon pour m’entendre.`,
  stage: (id) => `${channelMention(id)} est une scène, et je ne peux pas y parler. Rejoins un salon vocal.`,
  serverDeaf: 'Un modérateur t’a mis en sourdine sur ce serveur. Demande-lui d’annuler.',
  selfDeaf: 'Tu t’es mis en sourdine. Clique sur le casque à côté de ton nom.',
  elsewhere: (mine, theirs) =>
    `Je parle dans ${channelMention(mine)}, mais tu es dans ${channelMention(theirs)}. Rejoins-moi, ou attends que j’aie fini.`,
  missing: (permissions, id) =>
    `Il me faut ${format.and(permissions.map((name) => bold(name)))} dans ${channelMention(id)}. Un admin du serveur peut l’autoriser dans les paramètres du salon, ou choisis un autre salon.`,
  serverMute: `Je suis muet sur ce serveur, donc personne ne m’entend. Fais-moi venir dans un salon vocal avec ${say} ; un modérateur peut alors faire un clic droit sur mon nom et me rendre le micro.`,
  full: (id) => `${channelMention(id)} est plein. Attends que quelqu’un parte, ou choisis un autre salon.`,
  silent: `Mon volume sur ce serveur est réglé à 0 %. Les admins du serveur peuvent le monter dans ${settings}.`,
  underWay: {
    connecting: 'Je suis en train de rejoindre ton salon vocal. Quelques secondes.',
    encrypting: 'Je suis dans ton salon vocal et je mets en place le chiffrement de bout en bout. Quelques secondes.',
    reconnecting: 'La connexion vocale a été coupée et je me reconnecte. Je reprends dans quelques secondes.',
  },
  stuck: {
    connecting:
      'Discord ne me laisse pas entrer dans le salon vocal. Réessaie. Si ça continue, change de région dans les paramètres du salon.',
    encrypting:
      'Le chiffrement de bout en bout ne fonctionne pas dans ton salon vocal. Demande à tout le monde de quitter le salon et d’y revenir.',
    reconnecting: `La connexion vocale a été coupée et ne revient pas. Utilise ${inlineCode('/leave')}, puis réessaie.`,
  },
  moving: 'Je passe sur une autre machine. Je finis d’abord ce que je dis, puis je continue avec la suite.',
  storeGone: `Je ne peux pas lire ni enregistrer mes données pour l’instant, donc ${say} ne fonctionne pas. Réessaie dans une minute.\n-# Pour le propriétaire du bot : vérifier le disque, ou le stockage partagé.`,
  service: (problem) => `Le service vocal ne fonctionne pas. ${problem}`,
  others: `Je parle pour quelqu’un d’autre, et rien de toi n’est dans la file. Tu n’entends rien ? Alors ${louder}.`,
  queued: (before) =>
    format.plural(before, {
      one: `Ton texte attend derrière # autre. Regarde ${inlineCode('/queue')}.`,
      other: `Ton texte attend derrière # autres. Regarde ${inlineCode('/queue')}.`,
    }),
  speaking: `Je parle pour toi en ce moment. Tu n’entends rien ? Alors ${louder}, et vérifie le périphérique de sortie dans tes paramètres vocaux.`,
  slow: (seconds) => `Tout fonctionne, mais le service vocal est lent (${format.duration(seconds)}) : je risque de commencer en retard.`,
  ready: `Tout fonctionne, et rien n’est en cours. Essaie ${say}. Si tu ne m’entends pas, ${louder}.`,
  titles: {
    here: 'Ce salon',
    voice: 'Ton salon vocal',
    connection: 'Connexion vocale',
    you: 'Toi',
    service: 'Service vocal',
    credit: 'Crédit (visible seulement des propriétaires du bot)',
    whole: 'Tout le bot (visible seulement des propriétaires du bot)',
  },
  good: (what) => `✓ ${what}`,
  bad: (what, next) => `✗ ${what} : ${next}`,
  permissionNext: 'un admin du serveur peut l’autoriser',
  sendMessages: 'Envoyer des messages',
  sendMessagesNext: 'utile seulement pour les transcriptions de plus de 15 minutes ; sinon, elles arrivent en MP',
  viewChannel: 'Voir le salon',
  notMuted: 'Je ne suis pas muet',
  muted: 'Je suis muet',
  mutedNext: 'un modérateur peut me rendre le micro',
  room: 'Il y a de la place pour moi',
  isFull: 'Il est plein',
  fullNext: 'attends que quelqu’un parte',
  noChannel: 'Aucun. Rejoins-en un pour m’entendre.',
  isStage: 'C’est une scène. Rejoins un salon vocal.',
  hears: 'Tu n’es pas en sourdine',
  deaf: 'Tu es en sourdine',
  selfDeafNext: 'clique sur le casque à côté de ton nom',
  serverDeafNext: 'demande à un modérateur d’annuler',
  allowed: `Tu peux utiliser ${say} ici`,
  notAllowed: `Tu ne peux pas utiliser ${say} ici`,
  notConnected: 'Aucune pour l’instant. Je me connecte dès que tu utilises /say.',
  connection: {
    connecting: (channel, since) => `${channel}, connexion commencée ${since}`,
    encrypting: (channel, since) => `${channel}, chiffrement commencé ${since}`,
    ready: (channel, since) => `${channel}, connecté ${since}`,
    reconnecting: (channel, since) => `${channel}, coupée ${since}`,
    closed: (channel, since) => `${channel}, terminée ${since}`,
  },
  movingFrom: (channel) => `${channel}, passage sur une autre machine`,
  encrypted: 'Chiffrée de bout en bout',
  notEncrypted: 'Pas chiffrée de bout en bout',
  notEncryptedNext: 'tu es seul ici, ou Discord l’a désactivé pour cet appel',
  unheard: (members) => `Je n’arrive pas à déchiffrer le son de ${format.plural(members, { one: '# membre', other: '# membres' })}`,
  unheardNext: 'quitter le salon vocal et y revenir peut aider',
  ping: (ms) => `Ping : ${format.number(ms)} ms`,
  queueLength: (length) => `File : ${length === 0 ? 'vide' : format.plural(length, { one: '# texte', other: '# textes' })}`,
  volumeIs: (volume) => `Volume : ${format.percent(volume)}`,
  answered: (ms) => `A répondu en ${format.number(ms)} ms`,
  fewSessions: (left, until) =>
    `J’ai été redémarré si souvent que Discord ne me laissera me connecter que ${format.plural(left, { one: '# fois', other: '# fois' })} d’ici au ${until}. Ensuite, je serais hors ligne jusque-là. Mon journal dit pourquoi j’ai été redémarré.`,
  noCatalogue: 'Il n’a pas de liste de voix, donc je ne peux pas le vérifier sans utiliser de crédit.',
  noAnswer: (seconds) =>
    `Il n’a pas répondu en ${format.plural(seconds, { one: '# seconde', other: '# secondes' })}. Réessaie dans une minute. Si ça continue, préviens le propriétaire du bot.`,
  wholeBot: {
    processes: (count) => format.plural(count, { one: '# processus', other: '# processus' }),
    shards: (count) => format.plural(count, { one: '# shard', other: '# shards' }),
    servers: (count) => format.plural(count, { one: '# serveur', other: '# serveurs' }),
    speakingIn: (count) => `parle sur ${format.number(count)}`,
    free: (list, count) => `Aucun processus n’a ${format.plural(count, { one: `le shard ${list}`, other: `les shards ${list}` })}`,
    freeNext: `les serveurs concernés n’ont pas de réponse ; si ça dure, lance un autre processus ou augmente ${inlineCode('SHARDS_PER_PROCESS')}`,
    moving: (list, count) =>
      `En route vers un autre processus : ${format.plural(count, { one: `shard ${list}`, other: `shards ${list}` })}`,
    shardList: (list, count) => format.plural(count, { one: `shard ${list}`, other: `shards ${list}` }),
    noShards: 'aucun shard',
    started: (since) => `démarré ${since}`,
    answersHere: (shard) => `répond ici (shard ${format.number(shard)})`,
    leaving: 'en train de s’arrêter',
    serviceDown: 'n’atteint pas le service vocal',
    more: (count) => format.plural(count, { one: 'et # autre processus', other: 'et # autres processus' }),
    unknown: 'Je ne peux pas lire le stockage partagé pour l’instant, donc je ne sais pas comment vont les autres processus.',
  },
};
