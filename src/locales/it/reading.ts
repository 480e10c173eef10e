// What /read, Read this aloud and Stop reading this member say, and the section of /settings for reading, in Italian.
import { bold, channelMention, inlineCode, roleMention, userMention } from 'discord.js';
import type { Words } from '../words.ts';
import { code, format } from './format.ts';

const start = inlineCode('/read start');
const stop = inlineCode('/read stop');
const settings = inlineCode('/settings');
const channels = (ids: readonly string[]) => format.and(ids.map(channelMention));

export const reading: Words['reading'] = {
  noAccess: `Discord non mi lascia leggere i messaggi. Chi gestisce il bot può attivare ${bold('Message Content Intent')} nel portale per sviluppatori e riavviarmi. Fino ad allora posso leggere solo singoli messaggi, con ${bold('Read this aloud')}.`,
  notInGuild: 'Posso leggere canali solo nei server di cui sono membro. Chiedi a un admin di aggiungermi qui.',
  notAllowed: (roles) =>
    roles.length === 0
      ? `Ti serve ${bold('Gestire il server')} per avviare o fermare la lettura. Gli admin possono permetterlo ad altri ruoli in ${settings}.`
      : `Ti serve ${bold('Gestire il server')} o ${format.or(roles.map(roleMention))} per avviare o fermare la lettura. Un admin può darti il ruolo.`,
  privateThread: `Non leggo ad alta voce i thread privati, perché li sentirebbe anche chi non è stato invitato. Usa ${start} in un canale.`,
  noVoiceChannel: `Non sei in un canale vocale. Entra in uno o scegline uno in ${inlineCode('voice_channel')}.`,
  cannotSeeVoice: 'Non puoi vedere quel canale vocale. Scegline un altro.',
  cannotSeeText: (id) => `Non puoi vedere ${channelMention(id)}, quindi non puoi farlo leggere ad alta voce.`,
  iCannotSee: (id) =>
    `Non vedo cosa si scrive in ${channelMention(id)}. Un admin del server può permettermi lì ${bold('Visualizza canale')}.`,
  alreadyReading: (text, voice) => `Sto già leggendo ${channelMention(text)} ad alta voce in ${channelMention(voice)}.`,
  readingElsewhere: (texts, voice) =>
    `In ${channelMention(voice)} c’è chi mi ascolta leggere ${channels(texts)}, e posso stare in un solo canale vocale alla volta. Usa prima ${stop}, o scegli quel canale vocale.`,
  exposed: (who, text, voice) =>
    `${bold('Lo sentirebbe anche chi non può vedere questo canale.')}\nPossono entrare in ${channelMention(voice)}, ma non vedere ${channelMention(text)}: ${format.and(who)}. Leggerlo lo stesso?`,
  everyone: 'tutti',
  others: (count) => format.plural(count, { one: '# altro', other: 'altri #' }),
  startAnyway: 'Leggilo lo stesso',
  cancel: 'Annulla',
  cancelled: 'Va bene, non lo leggo.',
  startedAnyway: 'Va bene, lo leggo.',
  started: (member, text, voice) =>
    `${userMention(member)} ha attivato la lettura ad alta voce: ora leggo ciò che si scrive in ${channelMention(text)} a tutti in ${channelMention(voice)}.`,
  resumed: (member, text, voice) =>
    `${userMention(member)} mi ha fatto tornare: leggo di nuovo ciò che si scrive in ${channelMention(text)} a tutti in ${channelMention(voice)}.`,
  optOut: `Non vuoi che i tuoi messaggi vengano letti? Usa ${inlineCode('/read me off')}.`,
  skipOne: (prefix) => `Per farmi saltare un messaggio, inizialo con ${code(prefix)}.`,
  stopped: (member, texts) => `${userMention(member)} ha disattivato la lettura ad alta voce di ${channels(texts)}.`,
  stoppedAlways: `È impostato che venga letto sempre, quindi torno quando tutti saranno usciti dal canale vocale e qualcuno rientrerà. Gli admin possono cambiarlo in ${settings}.`,
  notReading: `Non sto leggendo nessun canale ad alta voce. Inizia con ${start}.`,
  stillReading: `Continuo a leggere i nuovi messaggi. Per smettere, usa ${stop}.`,
  pausedReading: `Riprendo a leggere quando tutti saranno usciti dal canale vocale e qualcuno rientrerà, oppure con ${start}.`,
  leaveStops: (texts) => `Qui sto leggendo ${channels(texts)} ad alta voce, e se esco la lettura finisce.`,
  meOff: (dropped) =>
    dropped === 0
      ? 'Fatto. Non leggerò i tuoi messaggi ad alta voce, in nessun server.'
      : `Fatto. Non leggerò i tuoi messaggi ad alta voce, in nessun server. ${format.plural(dropped, { one: 'Ne ho scartato # in attesa.', other: 'Ne ho scartati # in attesa.' })}`,
  meOn: 'Fatto. Leggo di nuovo i tuoi messaggi ad alta voce, dove la lettura è attiva.',
  mutedHere: `In questo server, un moderatore ha disattivato la lettura dei tuoi messaggi. Chiedi a un admin: può annullare con ${bold('Stop reading this member')} o in ${settings}.`,
  authorOptedOut: (id) => `${userMention(id)} non vuole che i propri messaggi vengano letti ad alta voce.`,
  authorMuted: (id) => `La lettura dei messaggi di ${userMention(id)} è disattivata in questo server.`,
  nothingToRead: 'In questo messaggio non c’è nulla che io possa leggere. Scegline uno con delle parole.',
  messageGone: 'Il messaggio è stato eliminato prima che potessi leggerlo.',
  readsMessage: (author, link) => `Fa leggere il [messaggio](${link}) di ${userMention(author)}`,
  muted: (id) =>
    `Fatto. Non leggo più i messaggi di ${userMention(id)}, che non può usare nemmeno ${inlineCode('/say')}. Gli admin possono annullare con questo comando o in ${settings}.`,
  unmuted: (id) => `Fatto. Leggo di nuovo i messaggi di ${userMention(id)}, che può di nuovo usare ${inlineCode('/say')}.`,
  onlyAdminsUnmute: (id) =>
    `Non leggo già più i messaggi di ${userMention(id)}. Solo gli admin possono annullare, con questo comando o in ${settings}.`,
  cannotMuteMe: 'Non leggo i miei stessi messaggi. Scegli qualcun altro.',
  status: {
    title: 'Lettura ad alta voce',
    reads: (text, voice) => `Leggo ${channelMention(text)} in ${channelMention(voice)}.`,
    readsAlways: (text, voice) => `Leggo sempre ${channelMention(text)} in ${channelMention(voice)}.`,
    paused: {
      leave: `Ora non leggo: qualcuno mi ha fatto uscire dal canale vocale con ${inlineCode('/leave')}. Torno quando tutti saranno usciti e qualcuno rientrerà, oppure con ${start}.`,
      disconnect: `Ora non leggo: un moderatore mi ha disconnesso dal canale vocale. Torno quando tutti saranno usciti e qualcuno rientrerà, oppure con ${start}.`,
    },
    stopped: (texts) =>
      `Leggo sempre ${channels(texts)}, ma qualcuno l’ha disattivato con ${stop}. Torno quando tutti saranno usciti dal canale vocale e qualcuno rientrerà, oppure con ${start}.`,
    nothing: `Non sto leggendo nessun canale ad alta voce. Usa ${start} in quello che devo leggere.`,
    nothingWaits: 'Non c’è nulla in attesa',
    waiting: (messages, delay) =>
      `${format.plural(messages, { one: '# messaggio in attesa', other: '# messaggi in attesa' })}; uno nuovo si sente tra circa ${format.duration(delay)}`,
    faster: (factor) => `Parlo ${format.number(factor, 1)} volte più veloce per stare al passo`,
    nameless: 'Tralascio i nomi per stare al passo',
    skipped: (count) =>
      format.plural(count, { one: 'Ho saltato # messaggio per stare al passo', other: 'Ho saltato # messaggi per stare al passo' }),
    left: (characters, resets) =>
      characters === null
        ? 'Questo server non ha un limite giornaliero'
        : `Oggi a questo server restano: ${format.plural(characters, { one: '# carattere', other: '# caratteri' })} (si rinnova ${resets})`,
    usedUp: (resets) => `Questo server ha esaurito il parlato di oggi. Riprende ${resets}.`,
    optedOut: `Hai scelto di non essere letto, quindi non leggo i tuoi messaggi. Annulla con ${inlineCode('/read me on')}.`,
    slowVoice: (title) =>
      `${title} è troppo lenta su questo computer per leggere ad alta voce, quindi leggo i tuoi messaggi con un’altra voce.`,
    problem: (sentence, at) => `Ultimo problema, ${at}: ${sentence}`,
    titles: { now: 'In questo momento', here: 'In', you: 'Tu' },
    viewChannelNext: 'senza non ricevo messaggi; un admin del server può permetterlo',
    optional: {
      SendMessages: 'senza non posso scrivere qui perché qualcosa non si sente',
      AddReactions: 'senza non posso segnare i messaggi che non si sentono',
      ReadMessageHistory: 'senza non posso segnare i messaggi che non si sentono né leggere quelli inoltrati',
    },
    permissionNames: {
      SendMessages: 'Invia messaggi',
      AddReactions: 'Aggiungi reazioni',
      ReadMessageHistory: 'Leggi cronologia messaggi',
    },
  },
  panel: {
    always: 'Letti sempre',
    pair: (text, voice) => `${text} in ${voice}`,
    alwaysMenu: 'Leggere sempre: scegli il canale vocale',
    textMenu: 'Canali testuali da leggere sempre lì',
    who: {
      everyone: 'Leggere i messaggi di tutti',
      listeners: 'Solo di chi è nel canale vocale',
    },
    optionsMenu: 'Né nomi, né bot, né reazioni',
    options: {
      names: { label: 'Dire chi scrive', description: 'Una volta, quando scrive qualcun altro' },
      bots: { label: 'Leggere i bot', description: 'Anche i messaggi di altri bot e webhook' },
      reactions: { label: 'Segnare ciò che non si sente', description: 'Con una reazione al messaggio' },
    },
    roles: 'Ruoli letti',
    rolesMenu: 'Ruoli letti (nessuno = tutti)',
    readerRoles: 'Possono avviare e fermare la lettura',
    readerRolesMenu: 'Altri ruoli che possono farlo',
    adminsOnly: 'solo gli admin',
    delay: 'Un nuovo messaggio si sente entro',
    seconds: (count) => format.plural(count, { one: '# secondo', other: '# secondi' }),
    prefix: 'Non letto se inizia con',
    formTitle: 'Lettura ad alta voce',
    delayLabel: 'Secondi prima di sentire un messaggio',
    delayHint: (least, most, usual) =>
      `Da ${format.number(least)} a ${format.number(most)}. Vuoto = ${format.number(usual)}. Se ce ne sono di più, ne salto.`,
    prefixLabel: 'Saltare i messaggi che iniziano con',
    prefixHint: 'Vuoto = leggere tutti i messaggi',
  },
};

// What is said while a channel is read aloud, in Italian.

export const readingNotices: Words['readingNotices'] = {
  skipped: (count) => format.plural(count, { one: '# messaggio saltato.', other: '# messaggi saltati.' }),
  goesOn: 'Riprenderò con i messaggi nuovi appena torna a funzionare.',
  mostUsed: (share, left) =>
    format.plural(left, {
      one: `Questo server ha usato oggi il ${format.percent(share)} del suo budget per il parlato. Resta # carattere per leggere ad alta voce e per ${inlineCode('/say')}.`,
      other: `Questo server ha usato oggi il ${format.percent(share)} del suo budget per il parlato. Restano # caratteri per leggere ad alta voce e per ${inlineCode('/say')}.`,
    }),
  channelGone: 'Il canale vocale non esiste più, quindi ho smesso di leggere questo canale ad alta voce.',
};

// What a voice says in place of what it cannot say, and around a message that is read aloud, in Italian.

export const heard: Words['heard'] = {
  inPlace: { link: 'link', spoiler: 'spoiler', someone: 'qualcuno', role: 'un ruolo', channel: 'un canale' },
  code: 'codice',
  linkTo: (site) => `un link a ${site}`,
  messageLink: 'un link a un messaggio',
  gif: 'una GIF',
  repeated: (emoji, count) => `${emoji} ${format.number(count)} volte`,

  says: (name, text) => `${name} dice: ${text}`,
  saysTo: (name, to, text) => `${name} a ${to}: ${text}`,
  to: (to, text) => `a ${to}: ${text}`,
  sends: (name, what) => `${name} invia ${what}`,
  with: (what) => `con ${what}`,
  forwarded: (text) => `un messaggio inoltrato: ${text}`,
  forwardedUnread: 'un messaggio inoltrato',
  pictures: (count) => format.plural(count, { one: 'un’immagine', other: '# immagini' }),
  gifs: (count) => format.plural(count, { one: 'una GIF', other: '# GIF' }),
  videos: (count) => format.plural(count, { one: 'un video', other: '# video' }),
  sounds: (count) => format.plural(count, { one: 'un file audio', other: '# file audio' }),
  files: (count) => format.plural(count, { one: 'un file', other: '# file' }),
  voiceMessage: (seconds) => (seconds === null ? 'un messaggio vocale' : `un messaggio vocale di ${format.duration(seconds)}`),
  sticker: (name) => `l’adesivo ${name}`,
  poll: (question) => `un sondaggio: ${question}`,
  and: format.and,
  or: format.or,
};
