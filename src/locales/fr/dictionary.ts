// What /dictionary says, in French.
import { bold, inlineCode, roleMention } from 'discord.js';
import type { Words } from '../words.ts';
import { code, format } from './format.ts';

const entries = (count: number) => format.plural(count, { one: '# entrée', other: '# entrées' });

export const dictionary: Words['dictionary'] = {
  titles: { server: 'Dictionnaire du serveur', me: 'Ton dictionnaire' },
  count: (count, most) => `${format.number(count)} sur ${entries(most)}`,
  found: (count, typed) => `${entries(count)} avec ${code(typed)}`,
  empty: {
    server: `Il n’y a encore rien ici. ${inlineCode('/dictionary add')} m’apprend à dire un mot.`,
    me: `Il n’y a encore rien ici. ${inlineCode('/dictionary add')} m’apprend comment dire un mot pour toi. Tes entrées passent avant celles du serveur.`,
  },
  noneFound: (typed) => `Aucune entrée ne contient ${code(typed)}. Essaie une partie plus courte du mot.`,
  entry: (word, spoken, language) =>
    language === null ? `${bold(word)} → ${spoken}` : `${bold(word)} → ${spoken} (${format.language(language)})`,
  added: { server: 'Ajouté au dictionnaire du serveur.', me: 'Ajouté à ton dictionnaire.' },
  changed: { server: 'Changé dans le dictionnaire du serveur.', me: 'Changé dans ton dictionnaire.' },
  before: (spoken) => `Avant : ${spoken}`,
  removed: { server: 'Retiré du dictionnaire du serveur.', me: 'Retiré de ton dictionnaire.' },
  hear: 'Écouter',
  undo: 'Annuler',
  undone: { server: 'C’est annulé. Le dictionnaire du serveur est comme avant.', me: 'C’est annulé. Ton dictionnaire est comme avant.' },
  undoExpired: `Il est trop tard pour annuler. ${inlineCode('/dictionary list')} montre ce qu’il y a maintenant.`,
  notFound: {
    server: (word) => `${code(word)} n’est pas dans le dictionnaire du serveur. ${inlineCode('/dictionary list')} montre ce qui y est.`,
    me: (word) => `${code(word)} n’est pas dans ton dictionnaire. ${inlineCode('/dictionary list')} montre ce qui y est.`,
  },
  nothingApplies: (text) => `Aucune entrée ne change ma façon de dire ${code(text)}. Ajoutes-en une avec ${inlineCode('/dictionary add')}.`,
  full: {
    server: (most) => `Le dictionnaire du serveur est plein : il contient ${entries(most)}. Retires-en une d’abord.`,
    me: (most) => `Ton dictionnaire est plein : il contient ${entries(most)}. Retires-en une d’abord.`,
  },
  notAllowed: (roles) =>
    roles.length === 0 || roles.length > 5
      ? `Il te faut ${bold('Gérer le serveur')} pour changer le dictionnaire du serveur. Pour changer le tien, choisis-le dans ${inlineCode('for')}.`
      : `Il te faut ${bold('Gérer le serveur')} ou ${format.or(roles.map(roleMention))} pour changer le dictionnaire du serveur. Pour changer le tien, choisis-le dans ${inlineCode('for')}.`,
  notInGuild: `Ici, il n’y a que ton propre dictionnaire. Laisse ${inlineCode('for')} vide.`,
  problems: {
    noWord: 'Le mot n’a ni lettre ni chiffre. Écris-le comme on le tape.',
    longWord: 'Le mot est trop long. 100 caractères au plus.',
    noSpoken: 'Il n’y a rien à dire pour ce mot. Écris au moins une lettre ou un chiffre.',
    longSpoken: 'Il y a trop à dire pour ce mot. 200 caractères au plus.',
    language: `Je ne connais pas cette langue. Prends un code comme ${inlineCode('en')}, ou laisse vide pour toutes les langues.`,
    duplicate: 'Le mot est déjà dans une ligne plus haut. C’est elle qui compte.',
    quotes: 'Ici ou plus haut, un guillemet n’est pas fermé.',
    full: 'Le dictionnaire est plein.',
  },
  showServer: 'Dictionnaire du serveur',
  showMine: 'Ton dictionnaire',
  removeMenu: 'Retirer un mot…',
  exported: {
    server: 'Voici le dictionnaire du serveur. Modifie-le dans n’importe quel tableur et réimporte-le.',
    me: 'Voici ton dictionnaire. Modifie-le dans n’importe quel tableur et réimporte-le.',
  },
  importTitle: { server: 'Importer dans le dictionnaire du serveur', me: 'Importer dans ton dictionnaire' },
  importLabel: 'Fichier CSV',
  importHint: 'Colonnes : mot, ce que je dis, langue (peut être vide). Jusqu’à 1 MB.',
  importModeLabel: 'Les entrées déjà présentes',
  importModes: { merge: 'Les garder ; pour un même mot, le fichier compte', replace: 'Les retirer toutes d’abord' },
  imported: (added, changed) =>
    changed === 0
      ? `Importé. Nouvelles entrées : ${format.number(added)}.`
      : `Importé. Nouvelles entrées : ${format.number(added)} ; changées : ${format.number(changed)}.`,
  importedInstead: (count, gone) => `Importé. ${entries(count)} maintenant, ${format.number(gone)} avant.`,
  importedNothing: (file) => `Il n’y a rien dans ${code(file)} que je puisse prendre. Je n’ai rien changé.`,
  skipped: (count) => format.plural(count, { one: '# ligne n’est pas importée :', other: '# lignes ne sont pas importées :' }),
  line: (line, reason) => `Ligne ${format.number(line)} : ${reason}`,
  lines: (from, to, reason) => `Lignes ${format.number(from)} à ${format.number(to)} : ${reason}`,
  moreSkipped: (count) => `… et ${format.plural(count, { one: '# autre', other: '# autres' })}. Le fichier joint les contient toutes.`,
  unread: {
    full: (line) => `Je me suis arrêté à la ligne ${format.number(line)}, car le dictionnaire ne peut rien contenir de plus.`,
    tooManyBad: (line) =>
      `Je me suis arrêté à la ligne ${format.number(line)}, car trop de lignes avant elle sont inutilisables. Corrige-les, puis importe de nouveau le fichier.`,
  },
  notText: (file) => `${code(file)} n’est pas un fichier texte en UTF-8. Dans Excel, enregistre-le en « CSV UTF-8 ». Je n’ai rien changé.`,
  fileTooLarge: (file, limit) =>
    `${code(file)} dépasse ${format.megabytes(limit)}, plus que n’en contient un dictionnaire. Divise-le. Je n’ai rien changé.`,
  privacy: (count) =>
    `${bold('Dictionnaires.')} ${count === 0 ? '' : `Du tien, ${entries(count)}, jusqu’à ce que tu les retires. `}Les entrées d’un serveur restent aussi longtemps que ses réglages.`,
};
