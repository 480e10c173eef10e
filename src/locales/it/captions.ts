// Captions of a voice channel, in Italian.
import { bold, channelMention, inlineCode, roleMention, userMention } from 'discord.js';
import type { Words } from '../words.ts';
import { format } from './format.ts';

const start = inlineCode('/captions start');
const privacyCommand = inlineCode('/privacy');
const captionMe = bold('Sottotitolami');
const stopMe = bold('Non sottotitolarmi più');

export const captions: Words['captions'] = {
  notInGuild: 'Posso sottotitolare solo i canali vocali dei server di cui faccio parte. Prima invitami.',
  noVoiceChannel: `Non so quale canale vocale intendi. Entraci, oppure usa ${start} nella sua chat.`,
  noSpareCalls:
    'Qui non posso sottotitolare: posso fare una sola chiamata alla volta al servizio vocale, e i sottotitoli bloccherebbero tutto il resto. Chi gestisce il bot può portare `VOICE_API_CONCURRENCY` a 2 o più.',
  notAllowed: (roleIds) =>
    roleIds.length > 0
      ? `Qui possono avviare i sottotitoli solo i membri con ${format.or(roleIds.map(roleMention))}. Un admin del server può darti il ruolo.`
      : 'Qui possono avviare i sottotitoli solo i membri con certi ruoli, che però non esistono più. Chiedi a un admin del server di sceglierne altri.',
  channelNotAllowed: (channelIds) =>
    channelIds.length > 0
      ? `Qui i sottotitoli sono permessi solo in ${format.or(channelIds.map(channelMention))}. Entra e riprova.`
      : `I canali vocali in cui i sottotitoli sono permessi non esistono più. Chiedi a un admin del server di sceglierne altri in ${inlineCode('/settings')}.`,
  missing: (permissions, channelId) =>
    `Per scrivere i sottotitoli mi serve ${format.and(permissions.map((name) => bold(name)))} in ${channelMention(channelId)}. Gli admin del server possono permetterlo nelle impostazioni del canale.`,
  cannotConnect: (channelId) =>
    `Non puoi entrare in ${channelMention(channelId)}, quindi non puoi avviare lì i sottotitoli. Scegli un altro canale vocale.`,
  alreadyOn: (link) => `I sottotitoli sono già attivi: ${link}`,
  elsewhere: (channelId) =>
    `Sto sottotitolando ${channelMention(channelId)} e posso stare in un solo canale vocale. Riprova quando lì saranno finiti.`,
  started: (link) => `I sottotitoli sono attivi: ${link}\nSento solo chi preme ${captionMe} lì.`,
  notOn: `In questo server i sottotitoli non sono attivi. ${start} li attiva.`,
  mayNotStop: (starterId) =>
    `I sottotitoli possono essere fermati da ${userMention(starterId)}, che li ha avviati, da un moderatore o dall’ultimo membro sottotitolato. Per restarne fuori tu, premi ${stopMe}.`,
  stopped: 'Fatto. I sottotitoli sono disattivati.',
  leaveStops: 'Sto sottotitolando quel canale vocale, e uscendo finirebbero i sottotitoli.',

  title: (channelId) => `Sottotitoli di ${channelMention(channelId)}`,
  what: `Quello che si dice lì viene scritto qui, perché tutti possano leggerlo. Sento solo chi preme ${captionMe}: l’audio degli altri non viene nemmeno decifrato.`,
  sound: (host) =>
    host === null
      ? 'L’audio di ogni frase va a un servizio vocale sulla mia stessa macchina e nessuno lo conserva. Le parole sono solo nei miei messaggi qui.'
      : `L’audio di ogni frase va al servizio vocale su ${inlineCode(host)}, senza il tuo nome. Io non lo conservo. Le parole sono solo nei miei messaggi qui.`,
  consent: (isKept) =>
    isKept
      ? `Se accetti, me lo ricordo in questo server per 90 giorni, o finché non premi ${stopMe}.`
      : 'Chiedo ogni volta: quando questi sottotitoli finiscono, dimentico chi ha accettato.',
  startedBy: (memberId) => `Avviati da ${userMention(memberId)}`,
  captioned: (memberIds, more) =>
    `${bold('Sottotitolati:')} ${memberIds.length === 0 ? 'ancora nessuno' : [...memberIds.map(userMention), ...(more > 0 ? [`e altri ${format.number(more)}`] : [])].join(' ')}`,
  unheard: (memberIds) =>
    `⚠️ ${bold('Non si sentono:')} ${memberIds.map(userMention).join(' ')}. Il loro audio non può essere decifrato; di solito basta uscire dal canale vocale e rientrare.`,
  outOfBudget: (memberId, at) =>
    `⚠️ ${userMention(memberId)} ha esaurito un budget giornaliero di trascrizione. I sottotitoli riprenderanno ${format.relative(at)}.`,
  serverOutOfBudget: (at) =>
    `⚠️ Questo server ha esaurito il budget giornaliero di trascrizione. I sottotitoli riprenderanno ${format.relative(at)}.`,
  cost: (seconds, cost) =>
    `Finora: ${format.duration(seconds)} di parlato, dai budget di chi ha parlato${cost === null ? '' : `, circa ${format.significant(cost)} di credito`}`,
  captionButton: 'Sottotitolami',
  stopButton: 'Non sottotitolarmi più',
  deleteButton: 'Elimina le mie parole',
  languageMenu: 'La lingua che parlo (solo per me)',
  hasEnded: 'I sottotitoli sono finiti',

  isOn: (isKept) =>
    isKept
      ? `Fatto. Quello che dici viene sottotitolato, qui e quando in questo server ci saranno sottotitoli nei prossimi 90 giorni. ${stopMe} o ${privacyCommand} annulla tutto.`
      : `Fatto. Quello che dici viene sottotitolato finché questi sottotitoli non finiscono, o finché non premi ${stopMe}.`,
  isOff: `Fatto. Non ti sento più. Quello che stavo scrivendo è stato scartato; per togliere ciò che è già qui, premi ${bold('Elimina le mie parole')}.`,
  isOffUnstored: `Fatto. Non ti sento più. Ora non riesco a salvarlo, ma continuo a provarci. Se vengo riavviato prima di riuscirci, premi di nuovo ${bold('Non sottotitolarmi più')}.`,
  excluded: 'Un admin di questo server ha deciso che i membri con uno dei tuoi ruoli non vengono mai sottotitolati.',
  wordsDeleted: (count) =>
    count === 0
      ? 'Qui non c’è niente di tuo.'
      : `Fatto. Ho eliminato ${format.plural(count, { one: '# tua riga', other: '# tue righe' })}.`,
  languageChosen: (name) => (name === null ? 'Fatto. Riconoscerò la lingua che parli.' : `Fatto. Mi aspetterò che tu parli ${name}.`),
  notCaptioned: `Non sei tra i sottotitolati. Prima premi ${captionMe}.`,
  endedAlready: `Questi sottotitoli sono finiti. ${start} li riattiva.`,

  behind: (seconds) => `Sono in ritardo di ${format.duration(seconds)}.`,
  dropped: (name, seconds) => `Ho tralasciato ${format.duration(seconds)} di quello che ha detto ${name}.`,
  failed: 'Il servizio vocale al momento non funziona, quindi manca parte di ciò che viene detto. Continuo a provare.',
  resumed: 'Mi sono interrotto. Può mancare ciò che è stato detto subito prima.',

  ended: {
    stopped: (memberId) => `I sottotitoli sono finiti: li ha disattivati ${userMention(memberId)}.`,
    nobody: 'I sottotitoli sono finiti: per due minuti nel canale vocale non c’era nessuno di chi viene sottotitolato.',
    moved: 'I sottotitoli sono finiti: un moderatore mi ha spostato o disconnesso.',
    left: 'I sottotitoli sono finiti: sono uscito dal canale vocale.',
    channelGone: 'I sottotitoli sono finiti: il canale vocale è stato eliminato.',
    lost: `I sottotitoli sono finiti: ho perso la connessione al canale vocale. ${start} li riattiva.`,
    unwritable: 'I sottotitoli sono finiti: non posso più scrivere in questo canale.',
    interrupted: `I sottotitoli sono finiti: sono rimasto offline troppo a lungo. ${start} li riattiva.`,
    unavailable:
      'I sottotitoli sono finiti: su questa macchina non posso trascrivere il parlato. Il proprietario del bot può vedere il motivo nel mio log.',
  },
  noTranscript: 'Questa volta niente trascrizione: non sono riuscito a leggere tutto ciò che serve. I sottotitoli qui sopra restano.',
  transcriptName: (channel) => `Sottotitoli di ${channel}`,
  threadName: (channel) => `Sottotitoli di ${channel}`,
  voiceStatus: '💬 Sottotitoli attivi',

  spoken: {
    begin: 'I sottotitoli sono attivi. Scrivo solo quello che dice chi preme “Sottotitolami” nella chat.',
    joined: 'Qui ci sono i sottotitoli. Se vuoi che le tue parole vengano scritte, premi “Sottotitolami” nella chat.',
  },
  permissionNames: { CreatePublicThreads: 'Creare thread pubblici' },
  status: (channelId, count) =>
    `Sottotitoli: attivi in ${channelMention(channelId)}, ${format.plural(count, { one: '# membro', other: '# membri' })}`,

  panel: {
    starters: 'Possono avviare i sottotitoli',
    startersMenu: 'Ruoli che possono avviare i sottotitoli (nessuno = tutti)',
    channels: 'Sottotitoli permessi in',
    channelsMenu: 'Canali vocali per i sottotitoli (nessuno = tutti)',
    excluded: 'Mai sottotitolati',
    excludedMenu: 'Ruoli che non vengono mai sottotitolati',
    consentName: 'Consenso',
    consent: { kept: 'Ricorda per 90 giorni chi ha accettato', each: 'Chiedi a tutti ogni volta' },
    placeName: 'Scritti in',
    place: { chat: 'Nella chat del canale vocale', thread: 'In un thread' },
    placeWhat: {
      chat: 'Ovunque vengano avviati',
      thread: 'Del canale testuale in cui vengono avviati; la chat di un canale vocale non ha thread',
    },
    languageName: 'Lingua parlata',
    language: (name) => `Lingua: ${name}`,
  },

  privacy: (count) =>
    `${bold('Sottotitoli.')} Nei canali vocali con i sottotitoli ti sento solo se hai accettato. L’audio resta in memoria per una frase; le parole sono solo nei miei messaggi. ${
      count === 0
        ? 'Non hai accettato da nessuna parte.'
        : `Ricordo per 90 giorni che hai accettato in ${format.plural(count, { one: '# server', other: '# server' })}, con la lingua che hai scelto.`
    }`,
  consentGoes: 'Così ritiri anche il consenso ai sottotitoli, ovunque.',
};
