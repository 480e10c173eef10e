// What /status says, in Italian.
import { bold, channelMention, inlineCode } from 'discord.js';
import type { Words } from '../words.ts';
import { format } from './format.ts';

const say = inlineCode('/say');
const settings = inlineCode('/settings');
const louder = `fai clic destro sul mio nome nel canale vocale e alza il ${bold('Volume utente')}`;

export const status: Words['status'] = {
  notInGuild: `Qui non sono in un server, quindi non c’è un canale vocale. Con ${say} ti mando un messaggio vocale.`,
  notInVoice: `Non sei in un canale vocale. Entra in uno e usa ${say}.`,
  speaksElsewhere: (id) => `Sto parlando in ${channelMention(id)}. Entra per sentirmi.`,
  stage: (id) => `${channelMention(id)} è uno stage, e lì non posso parlare. Entra in un canale vocale.`,
  serverDeaf: 'Un moderatore ti ha disattivato l’audio in questo server. Chiedigli di riattivarlo.',
  selfDeaf: 'Hai disattivato il tuo audio. Fai clic sulle cuffie accanto al tuo nome.',
  elsewhere: (mine, theirs) =>
    `Sto parlando in ${channelMention(mine)}, ma tu sei in ${channelMention(theirs)}. Raggiungimi o aspetta che finisca.`,
  missing: (permissions, id) =>
    `Permessi che mi servono in ${channelMention(id)}: ${format.and(permissions.map((name) => bold(name)))}. Un admin del server può darmeli nelle impostazioni del canale, oppure scegli un altro canale.`,
  serverMute: `In questo server sono silenziato, quindi nessuno mi sente. Portami in un canale vocale con ${say}; poi un moderatore può fare clic destro sul mio nome e riattivarmi il microfono.`,
  full: (id) => `${channelMention(id)} è pieno. Aspetta che esca qualcuno o scegli un altro canale.`,
  silent: `Il mio volume in questo server è allo 0%. Gli admin del server possono alzarlo in ${settings}.`,
  underWay: {
    connecting: 'Sto entrando nel tuo canale vocale. Qualche secondo.',
    encrypting: 'Sono nel tuo canale vocale e sto preparando la crittografia end-to-end. Qualche secondo.',
    reconnecting: 'La connessione vocale è caduta e mi sto ricollegando. Riprendo tra qualche secondo.',
  },
  stuck: {
    connecting: 'Discord non mi fa entrare nel canale vocale. Riprova. Se continua, cambia regione nelle impostazioni del canale.',
    encrypting: 'La crittografia end-to-end non funziona nel tuo canale vocale. Chiedi a tutti di uscire e rientrare.',
    reconnecting: `La connessione vocale è caduta e non torna. Usa ${inlineCode('/leave')} e riprova.`,
  },
  moving: 'Mi sto spostando su un’altra macchina. Prima finisco quello che sto dicendo, poi continuo con il resto.',
  storeGone: `Ora non riesco a salvare o leggere i miei dati, quindi ${say} non funziona. Riprova tra un minuto.\n-# Per chi gestisce il bot: controlla il disco o l’archivio condiviso.`,
  service: (problem) => `Il servizio vocale non funziona. ${problem}`,
  others: `Sto parlando per qualcun altro e di tuo non c’è nulla in coda. Non senti? Allora ${louder}.`,
  queued: (before) =>
    format.plural(before, {
      one: `Il tuo testo aspetta dietro # altro. Guarda ${inlineCode('/queue')}.`,
      other: `Il tuo testo aspetta dietro # altri. Guarda ${inlineCode('/queue')}.`,
    }),
  speaking: `Sto parlando per te in questo momento. Non senti? Allora ${louder}, e controlla il dispositivo di output nelle tue impostazioni voce.`,
  slow: (seconds) => `Funziona tutto, ma il servizio vocale è lento (${format.duration(seconds)}): potrei iniziare in ritardo.`,
  ready: `Funziona tutto e non c’è nulla in riproduzione. Prova ${say}. Se non mi senti, ${louder}.`,
  titles: {
    here: 'Questo canale',
    voice: 'Il tuo canale vocale',
    connection: 'Connessione vocale',
    you: 'Tu',
    service: 'Servizio vocale',
    credit: 'Credito (lo vede solo chi gestisce il bot)',
    whole: 'Tutto il bot (lo vede solo chi gestisce il bot)',
  },
  good: (what) => `✓ ${what}`,
  bad: (what, next) => `✗ ${what}: ${next}`,
  permissionNext: 'un admin del server può permetterlo',
  sendMessages: 'Inviare messaggi',
  sendMessagesNext: 'serve solo per trascrizioni oltre i 15 minuti; altrimenti arrivano in DM',
  viewChannel: 'Visualizza canale',
  notMuted: 'Non sono silenziato',
  muted: 'Sono silenziato',
  mutedNext: 'un moderatore può riattivarmi',
  room: 'C’è posto per me',
  isFull: 'È pieno',
  fullNext: 'aspetta che esca qualcuno',
  noChannel: 'Nessuno. Entra in uno per sentirmi.',
  isStage: 'È uno stage. Entra in un canale vocale.',
  hears: 'Il tuo audio è attivo',
  deaf: 'Il tuo audio è disattivato',
  selfDeafNext: 'fai clic sulle cuffie accanto al tuo nome',
  serverDeafNext: 'chiedi a un moderatore di riattivarlo',
  allowed: `Puoi usare ${say} qui`,
  notAllowed: `Non puoi usare ${say} qui`,
  notConnected: 'Ancora nessuna. Mi collego quando usi /say.',
  connection: {
    connecting: (channel, since) => `${channel}, ingresso iniziato ${since}`,
    encrypting: (channel, since) => `${channel}, crittografia iniziata ${since}`,
    ready: (channel, since) => `${channel}, collegato ${since}`,
    reconnecting: (channel, since) => `${channel}, caduta ${since}`,
    closed: (channel, since) => `${channel}, chiusa ${since}`,
  },
  movingFrom: (channel) => `${channel}, spostamento su un’altra macchina`,
  encrypted: 'Crittografata end-to-end',
  notEncrypted: 'Non crittografata end-to-end',
  notEncryptedNext: 'non c’è nessun altro, o Discord l’ha disattivata per questa chiamata',
  ping: (ms) => `Ping: ${format.number(ms)} ms`,
  queueLength: (length) => `Coda: ${length === 0 ? 'vuota' : format.plural(length, { one: '# testo', other: '# testi' })}`,
  volumeIs: (volume) => `Volume: ${format.percent(volume)}`,
  answered: (ms) => `Ha risposto in ${format.number(ms)} ms`,
  fewSessions: (left, until) =>
    `Sono stato riavviato così spesso che Discord mi lascerà connettere solo ${format.plural(left, { one: 'un’altra volta', other: 'altre # volte' })} fino al ${until}. Dopo sarei offline fino ad allora. Il mio registro dice perché sono stato riavviato.`,
  noCatalogue: 'Non ha un elenco di voci, quindi non posso controllarlo senza usare credito.',
  noAnswer: (seconds) =>
    `Non ha risposto entro ${format.plural(seconds, { one: '# secondo', other: '# secondi' })}. Riprova tra un minuto. Se continua, avvisa chi gestisce il bot.`,
  wholeBot: {
    processes: (count) => format.plural(count, { one: '# processo', other: '# processi' }),
    shards: (count) => format.plural(count, { one: '# shard', other: '# shard' }),
    servers: (count) => format.plural(count, { one: '# server', other: '# server' }),
    speakingIn: (count) => `parla in ${format.number(count)}`,
    free: (list, count) => `Nessun processo ha ${format.plural(count, { one: `lo shard ${list}`, other: `gli shard ${list}` })}`,
    freeNext: `i server interessati non ricevono risposta; se continua, avvia un altro processo o aumenta ${inlineCode('SHARDS_PER_PROCESS')}`,
    moving: (list, count) => format.plural(count, { other: `In viaggio verso un altro processo: shard ${list}` }),
    shardList: (list, count) => format.plural(count, { other: `shard ${list}` }),
    noShards: 'nessuno shard',
    started: (since) => `avviato ${since}`,
    answersHere: (shard) => `risponde qui (shard ${format.number(shard)})`,
    leaving: 'si sta chiudendo',
    serviceDown: 'non raggiunge il servizio vocale',
    more: (count) => format.plural(count, { one: 'e # altro processo', other: 'e altri # processi' }),
    unknown: 'Ora non riesco a leggere l’archivio condiviso, quindi non so come stanno gli altri processi.',
  },
};
