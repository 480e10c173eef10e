// What /read, Read this aloud and Stop reading this member say, and the section of /settings for reading, in French.
import { bold, channelMention, inlineCode, roleMention, userMention } from 'discord.js';
import type { Words } from '../words.ts';
import { code, format } from './format.ts';

const start = inlineCode('/read start');
const stop = inlineCode('/read stop');
const settings = inlineCode('/settings');
const channels = (ids: readonly string[]) => format.and(ids.map(channelMention));

export const reading: Words['reading'] = {
  noAccess: `Discord ne me laisse pas lire les messages. Le propriétaire du bot peut activer ${bold('Message Content Intent')} dans le portail des développeurs et me redémarrer. D’ici là, je ne peux lire que des messages isolés, avec ${bold('Read this aloud')}.`,
  notInGuild: 'Je ne peux lire des salons que sur les serveurs où l’on m’a ajouté. Demande à un admin de m’ajouter ici.',
  notAllowed: (roles) =>
    roles.length === 0
      ? `Il te faut ${bold('Gérer le serveur')} pour lancer ou arrêter la lecture. Les admins peuvent l’autoriser à d’autres rôles dans ${settings}.`
      : `Il te faut ${bold('Gérer le serveur')} ou ${format.or(roles.map(roleMention))} pour lancer ou arrêter la lecture. Un admin peut te donner le rôle.`,
  privateThread: `Je ne lis pas les fils privés à voix haute, car des gens qui n’y sont pas invités les entendraient. Utilise ${start} dans un salon.`,
  noVoiceChannel: `Tu n’es dans aucun salon vocal. Rejoins-en un, ou choisis-en un avec ${inlineCode('voice_channel')}.`,
  cannotSeeVoice: 'Tu ne vois pas ce salon vocal. Choisis-en un autre.',
  cannotSeeText: (id) => `Tu ne vois pas ${channelMention(id)}, donc tu ne peux pas le faire lire à voix haute.`,
  iCannotSee: (id) =>
    `Je ne vois pas ce qui s’écrit dans ${channelMention(id)}. Un admin du serveur peut m’y autoriser ${bold('Voir le salon')}.`,
  alreadyReading: (text, voice) => `Je lis déjà ${channelMention(text)} à voix haute dans ${channelMention(voice)}.`,
  readingElsewhere: (texts, voice) =>
    `Des gens m’écoutent lire ${channels(texts)} dans ${channelMention(voice)}, et je ne peux être que dans un salon vocal à la fois. Utilise d’abord ${stop}, ou choisis ce salon vocal.`,
  exposed: (who, text, voice) =>
    `${bold('Des gens qui ne voient pas ce salon l’entendraient.')}\nPeuvent rejoindre ${channelMention(voice)} sans voir ${channelMention(text)} : ${format.and(who)}. Le lire quand même ?`,
  everyone: 'tout le monde',
  others: (count) => format.plural(count, { one: '# autre', other: '# autres' }),
  startAnyway: 'Lire quand même',
  cancel: 'Annuler',
  cancelled: 'D’accord, je ne le lis pas.',
  startedAnyway: 'D’accord, je le lis.',
  started: (member, text, voice) =>
    `${userMention(member)} a activé la lecture à voix haute : ce qui s’écrit dans ${channelMention(text)}, je le lis maintenant à tout le monde dans ${channelMention(voice)}.`,
  resumed: (member, text, voice) =>
    `${userMention(member)} m’a fait revenir : ce qui s’écrit dans ${channelMention(text)}, je le lis de nouveau à tout le monde dans ${channelMention(voice)}.`,
  optOut: `Tu ne veux pas que tes messages soient lus ? Utilise ${inlineCode('/read me off')}.`,
  skipOne: (prefix) => `Pour qu’un message ne soit pas lu, commence-le par ${code(prefix)}.`,
  stopped: (member, texts) => `${userMention(member)} a désactivé la lecture à voix haute de ${channels(texts)}.`,
  stoppedAlways: `La lecture y est réglée sur « toujours » : je reviendrai quand tout le monde aura quitté le salon vocal et que quelqu’un le rejoindra. Les admins peuvent changer ça dans ${settings}.`,
  notReading: `Je ne lis aucun salon à voix haute. Lance la lecture avec ${start}.`,
  stillReading: `Je continue à lire les nouveaux messages. Pour arrêter, utilise ${stop}.`,
  pausedReading: `Je reprendrai la lecture quand tout le monde aura quitté le salon vocal et que quelqu’un le rejoindra, ou avec ${start}.`,
  leaveStops: (texts) => `Ici, je lis ${channels(texts)} à voix haute, et ça s’arrêterait si je partais.`,
  meOff: (dropped) =>
    dropped === 0
      ? 'C’est fait. Je ne lirai plus tes messages, sur aucun serveur.'
      : `C’est fait. Je ne lirai plus tes messages, sur aucun serveur. ${format.plural(dropped, { one: 'J’en ai retiré # en attente.', other: 'J’en ai retiré # en attente.' })}`,
  meOn: 'C’est fait. Je lis de nouveau tes messages, là où la lecture est activée.',
  mutedHere: `Sur ce serveur, un modérateur a désactivé la lecture de tes messages. Demande à un admin : on peut annuler ça avec ${bold('Stop reading this member')} ou dans ${settings}.`,
  authorOptedOut: (id) => `${userMention(id)} ne veut pas que ses messages soient lus à voix haute.`,
  authorMuted: (id) => `La lecture des messages de ${userMention(id)} est désactivée sur ce serveur.`,
  nothingToRead: 'Il n’y a rien dans ce message que je puisse lire. Choisis-en un avec des mots.',
  messageGone: 'Le message a été supprimé avant que je puisse le lire.',
  readsMessage: (author, link) => `Fait lire le [message](${link}) de ${userMention(author)}`,
  muted: (id) =>
    `C’est fait. Je ne lis plus les messages de ${userMention(id)}, qui ne peut plus utiliser ${inlineCode('/say')} non plus. Les admins peuvent annuler ça avec cette commande ou dans ${settings}.`,
  unmuted: (id) => `C’est fait. Je lis de nouveau les messages de ${userMention(id)}, qui peut de nouveau utiliser ${inlineCode('/say')}.`,
  onlyAdminsUnmute: (id) =>
    `Je ne lis déjà plus les messages de ${userMention(id)}. Seuls les admins peuvent annuler ça, avec cette commande ou dans ${settings}.`,
  cannotMuteMe: 'Je ne lis pas mes propres messages. Choisis quelqu’un d’autre.',
  status: {
    title: 'Lecture à voix haute',
    reads: (text, voice) => `Je lis ${channelMention(text)} dans ${channelMention(voice)}.`,
    readsAlways: (text, voice) => `Je lis toujours ${channelMention(text)} dans ${channelMention(voice)}.`,
    paused: {
      leave: `Je ne lis pas en ce moment : quelqu’un m’a fait sortir du salon vocal avec ${inlineCode('/leave')}. Je reviens quand tout le monde l’aura quitté et que quelqu’un le rejoindra, ou avec ${start}.`,
      disconnect: `Je ne lis pas en ce moment : un modérateur m’a déconnecté du salon vocal. Je reviens quand tout le monde l’aura quitté et que quelqu’un le rejoindra, ou avec ${start}.`,
    },
    stopped: (texts) =>
      `Je lis toujours ${channels(texts)}, mais quelqu’un a désactivé ça avec ${stop}. Je reviens quand tout le monde aura quitté le salon vocal et que quelqu’un le rejoindra, ou avec ${start}.`,
    nothing: `Je ne lis aucun salon à voix haute. Utilise ${start} dans celui que je dois lire.`,
    nothingWaits: 'Rien n’attend',
    waiting: (messages, delay) =>
      `${format.plural(messages, { one: '# message attend', other: '# messages attendent' })} ; un nouveau s’entend dans ${format.duration(delay)} environ`,
    faster: (factor) => `Je parle ${format.number(factor, 1)} fois plus vite pour suivre`,
    nameless: 'Je laisse de côté les noms pour suivre',
    skipped: (count) => format.plural(count, { one: 'J’ai sauté # message pour suivre', other: 'J’ai sauté # messages pour suivre' }),
    left: (characters, resets) =>
      characters === null
        ? 'Ce serveur n’a pas de limite par jour'
        : `Encore aujourd’hui pour ce serveur : ${format.plural(characters, { one: '# caractère', other: '# caractères' })} (renouvelé ${resets})`,
    usedUp: (resets) => `Ce serveur a tout consommé pour aujourd’hui. Ça reprend ${resets}.`,
    optedOut: `Tu as choisi de ne pas être lu, donc je ne lis pas tes messages. Annule ça avec ${inlineCode('/read me on')}.`,
    slowVoice: (title) =>
      `${title} est trop lente sur cet ordinateur pour lire à voix haute, donc je lis tes messages avec une autre voix.`,
    problem: (sentence, at) => `Dernier problème, ${at} : ${sentence}`,
    titles: { now: 'En ce moment', here: 'Dans', you: 'Toi' },
    viewChannelNext: 'sans ça, je ne reçois aucun message ; un admin du serveur peut l’autoriser',
    optional: {
      SendMessages: 'sans ça, je ne peux pas écrire ici pourquoi quelque chose ne s’entend pas',
      AddReactions: 'sans ça, je ne peux pas marquer les messages qui ne s’entendent pas',
      ReadMessageHistory: 'sans ça, je ne peux ni marquer les messages qui ne s’entendent pas, ni lire ceux qui sont transférés',
    },
    permissionNames: {
      SendMessages: 'Envoyer des messages',
      AddReactions: 'Ajouter des réactions',
      ReadMessageHistory: 'Voir les anciens messages',
    },
  },
  panel: {
    always: 'Toujours lus',
    pair: (text, voice) => `${text} dans ${voice}`,
    alwaysMenu: 'Toujours lire : choisis le salon vocal',
    textMenu: 'Salons textuels à toujours lire là',
    who: {
      everyone: 'Lire les messages de tout le monde',
      listeners: 'Seulement ceux qui sont dans le salon vocal',
    },
    optionsMenu: 'Ni noms, ni bots, ni réactions',
    options: {
      names: { label: 'Dire qui écrit', description: 'Une fois, quand l’auteur change' },
      bots: { label: 'Lire les bots', description: 'Aussi les messages d’autres bots et de webhooks' },
      reactions: { label: 'Marquer ce qui ne s’entend pas', description: 'Par une réaction au message' },
    },
    roles: 'Rôles lus',
    rolesMenu: 'Rôles lus (aucun = tout le monde)',
    readerRoles: 'Peuvent lancer et arrêter la lecture',
    readerRolesMenu: 'Autres rôles qui peuvent le faire',
    adminsOnly: 'seulement les admins',
    delay: 'Un nouveau message s’entend en',
    seconds: (count) => format.plural(count, { one: '# seconde', other: '# secondes' }),
    prefix: 'Pas lu s’il commence par',
    formTitle: 'Lecture à voix haute',
    delayLabel: 'Secondes jusqu’à ce qu’on l’entende',
    delayHint: (least, most, usual) =>
      `${format.number(least)} à ${format.number(most)}. Vide = ${format.number(usual)}. S’il y en a trop, j’en saute.`,
    prefixLabel: 'Ignorer les messages commençant par',
    prefixHint: 'Vide = lire tous les messages',
  },
};

// What is said while a channel is read aloud, in French.

export const readingNotices: Words['readingNotices'] = {
  skipped: (count) => format.plural(count, { one: '# message sauté.', other: '# messages sautés.' }),
  goesOn: 'Je reprendrai avec les nouveaux messages dès que ça remarchera.',
  mostUsed: (share, left) =>
    format.plural(left, {
      one: `Ce serveur a utilisé ${format.percent(share)} de son budget de parole du jour. Il reste # caractère pour la lecture à voix haute et ${inlineCode('/say')}.`,
      other: `Ce serveur a utilisé ${format.percent(share)} de son budget de parole du jour. Il reste # caractères pour la lecture à voix haute et ${inlineCode('/say')}.`,
    }),
  channelGone: 'Le salon vocal n’existe plus, donc j’ai arrêté de lire ce salon à voix haute.',
};

// What a voice says in place of what it cannot say, and around a message that is read aloud, in French.

export const heard: Words['heard'] = {
  inPlace: { link: 'lien', spoiler: 'spoiler', someone: 'quelqu’un', role: 'un rôle', channel: 'un salon' },
  code: 'du code',
  linkTo: (site) => `un lien vers ${site}`,
  messageLink: 'un lien vers un message',
  gif: 'un GIF',
  repeated: (emoji, count) => `${emoji} ${format.number(count)} fois`,

  says: (name, text) => `${name} dit : ${text}`,
  saysTo: (name, to, text) => `${name} à ${to} : ${text}`,
  to: (to, text) => `à ${to} : ${text}`,
  sends: (name, what) => `${name} envoie ${what}`,
  with: (what) => `avec ${what}`,
  forwarded: (text) => `un message transféré : ${text}`,
  forwardedUnread: 'un message transféré',
  pictures: (count) => format.plural(count, { one: 'une image', other: '# images' }),
  gifs: (count) => format.plural(count, { one: 'un GIF', other: '# GIF' }),
  videos: (count) => format.plural(count, { one: 'une vidéo', other: '# vidéos' }),
  sounds: (count) => format.plural(count, { one: 'un fichier audio', other: '# fichiers audio' }),
  files: (count) => format.plural(count, { one: 'un fichier', other: '# fichiers' }),
  voiceMessage: (seconds) => (seconds === null ? 'un message vocal' : `un message vocal de ${format.duration(seconds)}`),
  sticker: (name) => `l’autocollant ${name}`,
  poll: (question) => `un sondage : ${question}`,
  and: format.and,
  or: format.or,
};
