// What members read when something failed, in French.
import { inlineCode } from 'discord.js';
import type { ApiError } from '../../api/index.ts';
import type { BudgetError, SpendingKind } from '../../credit/index.ts';
import { asMarkdown } from '../../text/untrusted-text.ts';
import type { VoiceError } from '../../voice/types.ts';
import type { Words } from '../words.ts';
import { code, format } from './format.ts';

export const errors: Words['errors'] = {
  api,
  budget,
  voice,
  unexpected: (reference) =>
    `Quelque chose a mal tourné de mon côté. Réessaie. Si ça continue, préviens le propriétaire du bot.\n-# Référence ${code(reference)}`,
  storeFailed:
    'Je ne peux pas lire ni enregistrer mes données pour l’instant, donc rien n’a changé. Réessaie dans une minute.\n-# Pour le propriétaire du bot : vérifier le disque.',
  discordFailed: (status) => `Discord a des problèmes, donc ma réponse n’est pas arrivée. Réessaie dans une minute.\n-# Statut ${status}`,
  discordBusy: (at) => `J’ai atteint une limite de Discord. Réessaie ${format.relative(at)}.`,
  noPermission: 'Discord ne me laisse pas faire ça ici. Les admins du serveur peuvent vérifier mes permissions dans ce salon.',
  badAudio: 'Le service vocal a envoyé autre chose que du son. Réessaie ou choisis une autre voix.',
  endlessAudio: 'La voix n’arrêtait plus de parler, alors je l’ai coupée. Réessaie ou choisis une autre voix.',
  brokenAudio: 'Le son du service vocal s’est interrompu. Réessaie ou choisis une autre voix.',
};

function api(error: ApiError, now = Date.now()): string {
  const again = error.retryAfterMs === null ? 'dans une minute' : format.relative(now + error.retryAfterMs);
  if (error.downForMs !== null)
    return `Le service vocal est en panne (constaté ${format.relative(now - error.downForMs)}). Réessaie ${again}.`;
  if (error.kind === 'unsupported') return unsupported(error.operation);
  const sentence = {
    auth: 'Le service vocal refuse ma clé. Le propriétaire du bot doit s’en occuper.',
    credit: 'Le crédit du service vocal est épuisé. Le propriétaire du bot doit le recharger.',
    validation: refusal(error),
    'not-found': 'Le service vocal ne trouve pas ça. Vérifie ton choix et réessaie.',
    'rate-limited': `Le service vocal est très occupé. Réessaie ${again}.`,
    server:
      error.status === null
        ? `Je n’arrive pas à joindre le service vocal. Réessaie ${again}.`
        : `Le service vocal a des problèmes. Réessaie ${again}.`,
    timeout: `Le service vocal a mis trop de temps à répondre. Réessaie ${again}.`,
    aborted: 'Ceci a été arrêté avant la réponse du service vocal. Réessaie.',
    protocol: 'Je ne comprends pas la réponse du service vocal. Réessaie dans une minute.',
  }[error.kind];
  const charged = error.mayHaveBeenBilled ? ' Cela compte quand même, car le service l’a peut-être facturé.' : '';
  const isTechnical = error.kind !== 'aborted' && (error.status !== null || error.requestId);
  const status = error.status === null ? null : `Statut ${error.status}`;
  const request = error.requestId ? `Requête ${code(error.requestId)}` : null;
  const details = isTechnical ? `\n-# ${[status, request].filter((part) => part !== null).join(' · ')}` : '';
  return `${sentence}${charged}${details}`;
}

function unsupported(operation: ApiError['operation']): string {
  return {
    catalogue: `Ce service vocal n’a pas de liste de voix. Si tu connais l’identifiant d’une voix, utilise-le dans ${inlineCode('/say')}.`,
    transcription: 'Ce service vocal ne transcrit pas ; il parle seulement.',
    credit: 'Ce service vocal n’indique pas de solde.',
    speech: `Ce service vocal ne parle pas. Le propriétaire du bot peut vérifier ${code('VOICE_API_URL')}.`,
    'live-speech': 'Ce service vocal ne parle pas en temps réel. Réessaie.',
    'own-voices': 'Ce service vocal ne peut pas créer de voix.',
  }[operation ?? 'speech'];
}

function voice(error: VoiceError): string {
  return {
    busy: 'Je parle dans un autre salon de ce serveur. Rejoins-le, ou réessaie quand j’aurai fini.',
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
    closing: 'Je redémarre, donc ceci n’a pas été fini. Réessaie dans une minute.',
    disconnected: 'J’ai quitté le salon vocal, donc la file est vide maintenant. Réessaie pour me faire revenir.',
    refused: `Discord a refusé la connexion vocale. Essaie un autre salon.${error.code === null ? '' : `\n-# Code ${error.code}`}`,
  }[error.kind];
}

function refusal({ details }: ApiError): string {
  const [detail] = details;
  if (!detail) return 'Le service vocal n’accepte pas ça. Change-le et réessaie.';
  if (/\. \S.*\.$/s.test(detail.msg)) return asMarkdown(detail.msg, 300);
  const field = code(detail.loc.at(-1) ?? 'request');
  return `Le service vocal n’accepte pas ça (${field} : ${asMarkdown(detail.msg, 150)}). Change-le et réessaie.`;
}

function budget({ owner, kind, setBy, cap, requested, left, resetsAt }: BudgetError): string {
  if (cap === 0) return switchedOff(kind);
  const resets = format.relative(resetsAt);
  const isMember = owner === 'member';
  if (requested > cap) {
    const next =
      setBy === 'admin' ? 'Les admins du serveur peuvent l’augmenter dans `/settings`.' : 'Le propriétaire du bot peut l’augmenter.';
    return isMember
      ? `C’est plus que ton budget du jour : ${amountOf(kind, cap)}. Raccourcis. ${next}`
      : `C’est plus que le budget du jour de ce serveur : ${amountOf(kind, cap)}. Raccourcis. ${next}`;
  }
  const name = { speech: 'de parole', transcription: 'de transcription' }[kind];
  if (Math.floor(left) < 1)
    return isMember
      ? `Ton budget ${name} du jour est épuisé. Il repart à zéro ${resets}.`
      : `Le budget ${name} de ce serveur est épuisé pour aujourd’hui. Il repart à zéro ${resets}.`;
  return isMember
    ? `Il te reste ${amountOf(kind, left)} aujourd’hui, et il en faut plus. Raccourcis, ou attends : ton budget repart à zéro ${resets}.`
    : `Il reste à ce serveur ${amountOf(kind, left)} aujourd’hui, et il en faut plus. Raccourcis, ou attends : son budget repart à zéro ${resets}.`;
}

function amountOf(kind: SpendingKind, amount: number): string {
  return kind === 'speech'
    ? format.plural(Math.floor(amount), { one: '# caractère à dire', other: '# caractères à dire' })
    : `${format.duration(amount)} de transcription`;
}

function switchedOff(kind: SpendingKind): string {
  return {
    speech: `La parole est désactivée sur ce serveur. Les admins du serveur peuvent l’autoriser dans ${inlineCode('/settings')}, sous Budgets.`,
    transcription: `La transcription est désactivée sur ce serveur. Les admins du serveur peuvent l’autoriser dans ${inlineCode('/settings')}, sous Budgets.`,
  }[kind];
}
