// Captions of a voice channel, in French.
import { bold, channelMention, inlineCode, roleMention, userMention } from 'discord.js';
import type { Words } from '../words.ts';
import { format } from './format.ts';

const start = inlineCode('/captions start');
const privacyCommand = inlineCode('/privacy');
const captionMe = bold('Me sous-titrer');
const stopMe = bold('Ne plus me sous-titrer');

export const captions: Words['captions'] = {
  notInGuild: 'Je ne peux sous-titrer que les salons vocaux des serveurs dont je suis membre. Invite-moi d’abord.',
  noVoiceChannel: `Je ne sais pas de quel salon vocal tu parles. Rejoins-le, ou utilise ${start} dans son chat.`,
  noSpareCalls:
    'Je ne peux pas sous-titrer ici : je n’ai droit qu’à un appel au service vocal à la fois, et les sous-titres bloqueraient tout le reste. La personne qui gère le bot peut régler `VOICE_API_CONCURRENCY` sur 2 ou plus.',
  notAllowed: (roleIds) =>
    roleIds.length > 0
      ? `Ici, seuls les membres ayant ${format.or(roleIds.map(roleMention))} peuvent lancer les sous-titres. Un admin du serveur peut te donner le rôle.`
      : 'Ici, seuls les membres ayant certains rôles peuvent lancer les sous-titres, et ces rôles n’existent plus. Demande à un admin du serveur d’en choisir d’autres.',
  channelNotAllowed: (channelIds) =>
    channelIds.length > 0
      ? `Ici, les sous-titres ne sont permis que dans ${format.or(channelIds.map(channelMention))}. Rejoins ce salon et réessaie.`
      : `Les salons vocaux où les sous-titres sont permis n’existent plus. Demande à un admin du serveur d’en choisir d’autres dans ${inlineCode('/settings')}.`,
  missing: (permissions, channelId) =>
    `Pour écrire les sous-titres, j’ai besoin de ${format.and(permissions.map((name) => bold(name)))} dans ${channelMention(channelId)}. Les admins du serveur peuvent l’autoriser dans les paramètres du salon.`,
  cannotConnect: (channelId) =>
    `Tu ne peux pas rejoindre ${channelMention(channelId)}, donc pas non plus y lancer les sous-titres. Choisis un autre salon vocal.`,
  alreadyOn: (link) => `Les sous-titres sont déjà activés : ${link}`,
  elsewhere: (channelId) =>
    `Je sous-titre en ce moment ${channelMention(channelId)}, et je ne peux être que dans un salon vocal à la fois. Réessaie quand ce sera fini là-bas.`,
  started: (link) => `Les sous-titres sont activés : ${link}\nJe n’entends que les personnes qui y appuient sur ${captionMe}.`,
  notOn: `Les sous-titres ne sont pas activés sur ce serveur. ${start} les active.`,
  mayNotStop: (starterId) =>
    `Les sous-titres peuvent être arrêtés par ${userMention(starterId)}, qui les a lancés, par la modération ou par le dernier membre sous-titré. Pour ne plus y figurer toi-même, appuie sur ${stopMe}.`,
  stopped: 'C’est fait. Les sous-titres sont désactivés.',
  leaveStops: 'Je sous-titre ce salon vocal, et partir mettrait fin aux sous-titres.',

  title: (channelId) => `Sous-titres de ${channelMention(channelId)}`,
  what: `Ce qui s’y dit est écrit ici, lisible par tout le monde. Je n’entends que les personnes qui appuient sur ${captionMe} : le son des autres n’est même pas déchiffré.`,
  sound: (host) =>
    host === null
      ? 'Le son de chaque phrase va à un service vocal sur ma propre machine, et personne ne le garde. Les paroles ne sont que dans mes messages ici.'
      : `Le son de chaque phrase va au service vocal de ${inlineCode(host)}, sans ton nom. Je ne le garde pas. Les paroles ne sont que dans mes messages ici.`,
  consent: (isKept) =>
    isKept
      ? `Si tu es d’accord, je m’en souviens sur ce serveur pendant 90 jours, ou jusqu’à ce que tu appuies sur ${stopMe}.`
      : 'Je demande à chaque fois : quand ces sous-titres se terminent, j’oublie qui était d’accord.',
  startedBy: (memberId) => `Lancés par ${userMention(memberId)}`,
  captioned: (memberIds, more) =>
    `${bold('Sous-titrés :')} ${memberIds.length === 0 ? 'personne pour l’instant' : [...memberIds.map(userMention), ...(more > 0 ? [`et ${format.number(more)} autres`] : [])].join(' ')}`,
  unheard: (memberIds) =>
    `⚠️ ${bold('Inaudibles :')} ${memberIds.map(userMention).join(' ')}. Leur son ne peut pas être déchiffré ; quitter le salon vocal et le rejoindre suffit en général.`,
  outOfBudget: (memberId, at) =>
    `⚠️ ${userMention(memberId)} a épuisé un budget quotidien de transcription. Les sous-titres reprendront ${format.relative(at)}.`,
  serverOutOfBudget: (at) =>
    `⚠️ Ce serveur a épuisé son budget quotidien de transcription. Les sous-titres reprendront ${format.relative(at)}.`,
  cost: (seconds, cost) =>
    `Jusqu’ici : ${format.duration(seconds)} de parole, sur les budgets des personnes qui ont parlé${cost === null ? '' : `, soit environ ${format.significant(cost)} de crédit`}`,
  captionButton: 'Me sous-titrer',
  stopButton: 'Ne plus me sous-titrer',
  deleteButton: 'Supprimer mes paroles',
  languageMenu: 'La langue que je parle (pour moi seulement)',
  hasEnded: 'Les sous-titres sont terminés',

  isOn: (isKept) =>
    isKept
      ? `C’est fait. Ce que tu dis est sous-titré, ici et à chaque fois qu’il y aura des sous-titres sur ce serveur pendant 90 jours. ${stopMe} ou ${privacyCommand} annule cela.`
      : `C’est fait. Ce que tu dis est sous-titré jusqu’à la fin de ces sous-titres, ou jusqu’à ce que tu appuies sur ${stopMe}.`,
  isOff: `C’est fait. Je ne t’entends plus. Ce qui était en train d’être écrit est jeté ; pour retirer ce qui est déjà là, appuie sur ${bold('Supprimer mes paroles')}.`,
  isOffUnstored: `C’est fait. Je ne t’entends plus. Je ne peux pas l’enregistrer pour l’instant, mais je continue d’essayer. Si je redémarre avant d’y arriver, appuie de nouveau sur ${bold('Ne plus me sous-titrer')}.`,
  excluded: 'Un admin de ce serveur a décidé que les membres ayant l’un de tes rôles ne sont jamais sous-titrés.',
  wordsDeleted: (count) =>
    count === 0
      ? 'Il n’y a rien de toi ici.'
      : `C’est fait. J’ai supprimé ${format.plural(count, { one: '# ligne de toi', other: '# lignes de toi' })}.`,
  languageChosen: (name) =>
    name === null ? 'C’est fait. Je détecterai la langue que tu parles.' : `C’est fait. Langue attendue quand tu parles : ${name}.`,
  notCaptioned: `Tu n’es pas sous-titré. Appuie d’abord sur ${captionMe}.`,
  endedAlready: `Ces sous-titres sont terminés. ${start} les réactive.`,

  behind: (seconds) => `J’ai ${format.duration(seconds)} de retard.`,
  dropped: (name, seconds) => `J’ai omis ${format.duration(seconds)} de ce qu’a dit ${name}.`,
  failed: 'Le service vocal ne fonctionne pas pour le moment, il manque donc une partie de ce qui se dit. Je continue d’essayer.',
  resumed: 'J’ai été interrompu. Ce qui a été dit juste avant peut manquer.',

  ended: {
    stopped: (memberId) => `Les sous-titres sont terminés : ${userMention(memberId)} les a désactivés.`,
    nobody: 'Les sous-titres sont terminés : pendant deux minutes, aucune personne sous-titrée n’était dans le salon vocal.',
    moved: 'Les sous-titres sont terminés : la modération m’a déplacé ou déconnecté.',
    left: 'Les sous-titres sont terminés : j’ai quitté le salon vocal.',
    channelGone: 'Les sous-titres sont terminés : le salon vocal a été supprimé.',
    lost: `Les sous-titres sont terminés : j’ai perdu la connexion au salon vocal. ${start} les réactive.`,
    unwritable: 'Les sous-titres sont terminés : je ne peux plus écrire dans ce salon.',
    interrupted: `Les sous-titres sont terminés : je suis resté hors ligne trop longtemps. ${start} les réactive.`,
    unavailable:
      'Les sous-titres sont terminés : je ne peux pas transcrire la parole sur cette machine. Le propriétaire du bot en trouvera la raison dans mon journal.',
  },
  noTranscript:
    'Pas de transcription cette fois : je n’ai pas pu lire tout ce qu’il faut pour la faire. Les sous-titres ci-dessus restent.',
  transcriptName: (channel) => `Sous-titres de ${channel}`,
  threadName: (channel) => `Sous-titres de ${channel}`,
  voiceStatus: '💬 Sous-titres activés',

  spoken: {
    begin: 'Les sous-titres sont activés. J’écris seulement ce que disent les personnes qui appuient sur « Me sous-titrer » dans le chat.',
    joined: 'Ici, les sous-titres sont activés. Pour que tes paroles soient écrites, appuie sur « Me sous-titrer » dans le chat.',
  },
  permissionNames: { CreatePublicThreads: 'Créer des fils publics' },
  status: (channelId, count) =>
    `Sous-titres : activés dans ${channelMention(channelId)}, ${format.plural(count, { one: '# membre', other: '# membres' })}`,

  panel: {
    starters: 'Peuvent lancer les sous-titres',
    startersMenu: 'Rôles pouvant lancer les sous-titres (aucun = tout le monde)',
    channels: 'Sous-titres permis dans',
    channelsMenu: 'Salons vocaux pour les sous-titres (aucun = tous)',
    excluded: 'Jamais sous-titrés',
    excludedMenu: 'Rôles qui ne sont jamais sous-titrés',
    consentName: 'Accord',
    consent: { kept: 'Retenir les accords pendant 90 jours', each: 'Demander à tout le monde à chaque fois' },
    placeName: 'Écrits dans',
    place: { chat: 'Dans le chat du salon vocal', thread: 'Dans un fil' },
    placeWhat: {
      chat: 'Où que les sous-titres soient lancés',
      thread: 'Du salon textuel où ils sont lancés ; le chat d’un salon vocal n’a pas de fils',
    },
    languageName: 'Langue parlée',
    language: (name) => `Langue : ${name}`,
  },

  privacy: (count) =>
    `${bold('Sous-titres.')} Dans les salons vocaux sous-titrés, je ne t’entends que si tu es d’accord. Le son reste en mémoire le temps d’une phrase ; les paroles ne sont que dans mes messages. ${
      count === 0
        ? 'Tu n’as donné ton accord nulle part.'
        : `Je retiens ton accord sur ${format.plural(count, { one: '# serveur', other: '# serveurs' })}, avec la langue choisie, pendant 90 jours.`
    }`,
  consentGoes: 'Cela retire aussi ton accord pour être sous-titré, partout.',
};
