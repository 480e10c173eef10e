// What any command may say, in Italian.
import { bold, channelMention, inlineCode, roleMention, userMention } from 'discord.js';
import type { Words } from '../words.ts';
import { code, format } from './format.ts';

export const general: Words['general'] = {
  interruptedByRestart: 'Sono stato riavviato prima di finire. Chiedimelo di nuovo.',
  toMember: (userId, sentence) => `${userMention(userId)}: ${sentence}`,
  restarting: 'Mi sto riavviando. Riprova tra un minuto.',
  unknownCommand: 'Non ho più questo comando. Ricarica Discord per vedere quelli che ho ora.',
  unreadableInteraction: 'Non ho capito cosa mi ha mandato Discord. Riprova o ricarica Discord.',
  started: 'Ci penso io.',
  directHint: `Capisco solo i comandi. Scrivi ${inlineCode('/')} per vederli, o usa ${inlineCode('/help')}.`,
  expiredMessage: 'Questo messaggio non è più attuale. Usa di nuovo il comando.',
  notYourButtons: (command) => `Solo chi ha chiesto può usare questi pulsanti. Usa ${inlineCode(command)} per avere i tuoi.`,
  previousPage: '‹ Precedente',
  nextPage: 'Successiva ›',
};

// Refusals: members who may not use Parley, or not here, and those who ask too fast; in Italian.

const settings = inlineCode('/settings');
const isShort = (ids: readonly string[]) => ids.length <= 5;

export const access: Words['access'] = {
  muted: (isAdmin) =>
    isAdmin
      ? `${inlineCode('/say')} qui è disattivato per te. Puoi riattivarlo in ${settings}.`
      : `Un admin del server ha disattivato ${inlineCode('/say')} per te.`,
  roles: (ids) =>
    isShort(ids)
      ? `Qui possono usarmi solo i membri con ${format.or(ids.map(roleMention))}. Un admin del server può darti il ruolo.`
      : 'Qui possono usarmi solo i membri con certi ruoli. Un admin del server può dartene uno.',
  channels: (ids) =>
    isShort(ids)
      ? `Qui lavoro solo in ${format.or(ids.map(channelMention))}. Riprova lì.`
      : 'Qui lavoro solo in certi canali. Riprova in uno di quelli.',
  voiceChannels: (ids) =>
    isShort(ids)
      ? `Qui parlo solo in ${format.or(ids.map(channelMention))}. Entra e riprova.`
      : 'Qui parlo solo in certi canali vocali. Entra in uno di quelli e riprova.',
  channelsGone: `Gli unici canali in cui potevo lavorare qui non ci sono più. Chiedi a un admin del server di sceglierne altri in ${settings}.`,
  voiceChannelsGone: `Gli unici canali vocali in cui potevo parlare qui non ci sono più. Chiedi a un admin del server di sceglierne altri in ${settings}.`,
  tooFast: (again) => `Vai un po’ troppo veloce per me. Riprova ${format.relative(again)}.`,
};

// What is wrong with an attached file, in Italian.

export const attachments: Words['attachments'] = {
  notFromDiscord: (name) => `${code(name)} non è su Discord, e leggo file solo da lì. Carica il file stesso.`,
  empty: (name) => `${code(name)} è vuoto. Caricalo di nuovo.`,
  tooLarge: (name, bytes, limit) =>
    `${code(name)} è di ${format.megabytes(bytes)}, e posso trascrivere fino a ${format.megabytes(limit)}. Dividilo in parti o salvalo come MP3 o Opus.`,
  notAudio: (name) => `Non riesco a leggere ${code(name)} come audio. Usa MP3, WAV, Ogg, Opus, FLAC, M4A o WebM.`,
  downloadFailed: (name) => `Non sono riuscito a scaricare ${code(name)} da Discord. Riprova o caricalo di nuovo.`,
  downloadGone: (name) =>
    `${code(name)} è stato eliminato, o il suo link è scaduto dopo un giorno. Caricalo di nuovo o usa ${inlineCode('Transcribe')} sul suo messaggio.`,
  downloadIncomplete: (name) => `${code(name)} si è interrotto mentre lo leggevo. Riprova o caricalo di nuovo.`,
  downloadOversized: (name) => `${code(name)} è più lungo di quanto dice Discord, quindi ho smesso di leggerlo. Caricalo di nuovo.`,
  downloadSlow: (name) => `Discord manda ${code(name)} troppo lentamente. Riprova più tardi.`,
};

// Why the bot can't speak in a voice channel, in Italian.

export const voiceChannels: Words['voiceChannels'] = {
  permissionNames: { ViewChannel: 'Visualizza canale', Connect: 'Connettersi', Speak: 'Parlare' },
  botNotInGuild: `Posso parlare solo nei server di cui sono membro. Scegli “Messaggio vocale” in ${inlineCode('send_as')} per avere comunque l’audio.`,
  memberNotInVoice: `Non sei in un canale vocale. Entra in uno o scegline uno in ${inlineCode('channel')}.`,
  botNotInVoice: `Non sono in un canale vocale. Entra in uno e usa ${inlineCode('/say')} per chiamarmi.`,
  stageChannel: (id) => `${channelMention(id)} è uno stage, e io parlo solo nei canali vocali. Scegli un canale vocale.`,
  memberCannotConnect: (id) => `Non puoi entrare in ${channelMention(id)}, quindi non posso parlare lì per te. Scegli un altro canale.`,
  memberCannotSpeak: (id) => `Perché io parli in ${channelMention(id)} ti serve il permesso ${bold('Parlare')}. Scegli un altro canale.`,
  memberServerMuted:
    'Un moderatore ti ha silenziato nei canali vocali di questo server. Tornerò a parlare per te appena avrai di nuovo il microfono attivo.',
  missingPermissions: (permissions, id) =>
    `Permessi che mi servono in ${channelMention(id)}: ${format.and(permissions.map((name) => bold(name)))}. Gli admin del server possono darmeli nelle impostazioni del canale.`,
  full: (id) => `${channelMention(id)} è pieno. Aspetta che si liberi un posto o scegli un altro canale.`,
};
