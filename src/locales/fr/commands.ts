// The descriptions of the commands and their options, in French.
import type { Words } from '../words.ts';

export const commands: Words['commands'] = {
  say: {
    description: 'Dire un texte dans ton salon vocal',
    text: 'Ce que je dois dire',
    voice: 'Avec quelle voix. Je la garde pour tes prochains textes',
    channel: 'Dans quel salon vocal, à la place du tien',
    asFile: 'Envoyer plutôt le son dans un fichier',
    speed: 'De 0.5 (lent) à 2 (rapide), 1 est normal. Je la garde pour tes prochains textes',
  },
  queue: { description: 'Voir ce qui est en cours et ce qui suit' },
  skip: { description: 'Passer ce qui est en cours : ton texte, ou celui de n’importe qui si tu modères' },
  stop: { description: 'Retirer tous tes textes, ou ceux de tout le monde si tu modères' },
  leave: { description: 'Me faire quitter le salon vocal' },
  transcribe: {
    description: 'Transformer un enregistrement en texte',
    audio: 'L’enregistrement, 20 Mo au plus',
    language: 'La langue parlée. Vide = la détecter',
    timestamps: 'Montrer quand chaque partie est dite. Vide = oui',
    format: 'Joindre aussi un fichier',
    private: 'Ne montrer la transcription qu’à toi',
    formats: { text: 'Texte (.txt)', srt: 'Sous-titres (.srt)', vtt: 'Sous-titres pour le web (.vtt)', json: 'Données (.json)' },
  },
  voices: {
    description: 'Parcourir les voix, les écouter et choisir la tienne',
    title: 'Des mots du titre',
    tag: 'Des tags, comme calm ou robot, séparés par des virgules',
    language: 'Des langues, par nom ou code, séparées par des virgules',
    author: 'Qui a fait la voix',
    sort: 'Ce qui vient d’abord',
    titleLanguage: 'Langues du titre, par nom ou code',
    all: 'Aussi les voix qui ne disent pas de textes : non entraînées et pour le chant',
    mine: 'Seulement les voix du compte du bot (pour son propriétaire)',
    page: 'Page de départ',
    sorts: { score: 'Plus pertinentes', task_count: 'Plus utilisées', created_at: 'Plus récentes' },
  },
  status: { description: 'Trouver pourquoi tu n’entends rien' },
  credit: { description: 'Voir ce qui est utilisé et ce qui reste' },
  privacy: { description: 'Voir ce que je garde sur toi, et le supprimer' },
  help: { description: 'Ce que je sais faire et comment commencer' },
  settings: { description: 'Me régler pour ce serveur : voix, volume, qui peut m’utiliser, budgets' },
};
