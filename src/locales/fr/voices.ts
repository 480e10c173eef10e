// What /voices says, in French.
import { bold, channelMention, inlineCode } from 'discord.js';
import { asMarkdown } from '../../text/untrusted-text.ts';
import type { Words } from '../words.ts';
import { format } from './format.ts';

const { number, plural } = format;

const titled = (title: string) => bold(asMarkdown(title, 150) || '?');

const hearWithSay = `Écoute la voix elle-même avec ${inlineCode('/say')}.`;

export const voices: Words['voices'] = {
  languageName: format.language,

  heading: 'Voix',
  found: (total, page, pages) => {
    const voices = plural(total, { one: '# voix', other: '# voix' });
    return pages > 1 ? `${voices} · page ${number(page)} sur ${number(pages)}` : voices;
  },
  noneFound: 'Aucune voix ne correspond. Essaie avec moins de filtres.',
  nothingOnPage: `Aucune des voix de cette page ne peut parler. Passe à la suivante, ou vois-les toutes avec ${inlineCode('/voices all:True')}.`,
  pageOutOfRange: (page, pages) =>
    pages === 1
      ? `Il n’y a pas de page ${number(page)}, seulement une page.`
      : `Il n’y a pas de page ${number(page)}. La dernière est la page ${number(pages)}.`,
  ownVoicesForOperators: `Seul le propriétaire du bot peut lister les voix du compte du bot. Enlève ${inlineCode('mine')} pour voir les voix publiques.`,
  ownVoicesStayPrivate: 'Ces voix sont au propriétaire du bot et restent privées.',
  yes: 'oui',

  by: (author) => `de ${author}`,
  coverOf: (title) => `Image de ${title}`,
  likes: (count) => `♥ ${number(count)}`,
  uses: (count) => plural(count, { one: 'utilisée # fois', other: 'utilisée # fois' }),
  sings: 'Transforme une voix chantée. Elle ne peut pas dire de textes.',
  notReady: (state) =>
    state === 'failed'
      ? 'Son entraînement a échoué, elle ne peut donc pas parler.'
      : 'Encore en entraînement, elle ne peut pas encore parler.',
  id: 'ID',
  sample: (place) => `Extrait ${number(place)}`,
  furtherSamples: (count) => plural(count, { one: '… et # autre extrait', other: '… et # autres extraits' }),

  hearOne: 'Écouter…',
  useOne: 'Utiliser…',
  open: 'Détails…',
  share: 'Partager',
  back: '‹ Retour',
  hear: 'Écouter',
  hearAnother: 'Écouter un extrait…',

  choices: {
    mine: {
      off: 'Prendre comme ma voix',
      on: '✓ Ma voix',
      chosen: (title) =>
        `${titled(title)} est maintenant ta voix, pour tout ce que tu dis avec ${inlineCode('/say')}, sur tous les serveurs.`,
      givenUp: (title) => `${titled(title)} n’est plus ta voix. Tes textes ont maintenant la voix du salon ou du serveur.`,
    },
    favourite: {
      off: 'Favorite',
      on: '★ Favorite',
      chosen: (title) =>
        `${titled(title)} est maintenant une de tes favorites, en haut de la liste quand tu choisis une voix dans ${inlineCode('/say')}.`,
      givenUp: (title) => `${titled(title)} n’est plus une de tes favorites.`,
    },
    server: {
      off: 'Pour ce serveur',
      on: '✓ Voix de ce serveur',
      chosen: (title) => `${titled(title)} est maintenant la voix de ce serveur, pour tous ceux qui n’ont pas choisi la leur.`,
      givenUp: (title) => `${titled(title)} n’est plus la voix de ce serveur. Ceux qui n’ont pas choisi la leur ont la voix par défaut.`,
    },
  },

  gone: (title) => `${titled(title)} n’est plus disponible. Choisis une autre voix dans ${inlineCode('/voices')}.`,
  cannotSpeak: (title) => `${titled(title)} ne peut pas dire de textes. Choisis une autre voix.`,
  serverVoiceForAdmins:
    'Seuls les admins du serveur (avec **Gérer le serveur**) peuvent choisir sa voix. Tu peux quand même utiliser celle-ci pour toi.',

  noSample: (title) => `Il n’y a plus d’extrait de ${titled(title)}. ${hearWithSay}`,
  sampleUnreadable: (title) => `Je n’ai pas pu charger l’extrait de ${titled(title)}. Réessaie dans un instant.`,
  sampleTooLarge: (title) => `L’extrait de ${titled(title)} est trop gros pour être joué. ${hearWithSay}`,
  sampleNotAudio: (title) => `L’extrait de ${titled(title)} n’est pas un son que je peux jouer. ${hearWithSay}`,
  samplePlays: (title, channelId, before) =>
    before === 0
      ? `Je joue un extrait de ${titled(title)} dans ${channelMention(channelId)}.`
      : `Un extrait de ${titled(title)} vient dans ${channelMention(channelId)} après ${plural(before, { one: 'celui en cours', other: '# autres' })}.`,
  sampleAttached: (title) => `Voici un extrait de ${titled(title)}. Rejoins un salon vocal et je le jouerai là-bas.`,
};
