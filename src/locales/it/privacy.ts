// What /privacy says, in Italian.
import { bold, inlineCode } from 'discord.js';
import type { Words } from '../words.ts';
import { format } from './format.ts';

export const privacy: Words['privacy'] = {
  title: 'La tua privacy',
  sent: (host) =>
    host === null
      ? `${bold('Chi riceve cosa.')} I tuoi testi e le tue registrazioni vanno a un servizio vocale sulla mia macchina e da nessun’altra parte.`
      : `${bold('Chi riceve cosa.')} I tuoi testi e le tue registrazioni vanno al servizio vocale ${inlineCode(host)}, senza il tuo nome. Cosa succede lì lo decide chi lo gestisce. Non li mando da nessun’altra parte.`,
  notKept: `${bold('Cosa non conservo mai.')} Registrazioni e trascrizioni. Non le scrivo in nessun registro, e nemmeno i tuoi testi o il tuo nome.`,
  texts: `${bold('Testi.')} Se la mia risposta non può mostrare un testo così come l’hai scritto, per esempio perché è lungo, lo conservo cifrato fino a 30 giorni per poterlo ripetere. L’unica chiave è nella risposta: se viene eliminata, nessuno può leggere il testo.`,
  kept: `${bold('Cosa conservo di te.')} La tua voce, le voci preferite e recenti e la velocità, finché non le elimini. Quanto hai usato, in numeri, per due giorni.`,
  madeVoices: `${bold('Le voci che crei.')} I loro titoli, chi ha dato il consenso e quando, finché non le elimini. Le registrazioni vanno solo al servizio vocale. Mentre aspetto il consenso di qualcuno, tengo la tua richiesta sigillata, al massimo per 20 ore.`,
  sound: (bytes) =>
    bytes === 0
      ? `${bold('Audio.')} Non ne conservo.`
      : `${bold('Audio.')} Conservo fino a ${format.megabytes(bytes)} di audio, così le ripetizioni nello stesso server sono gratis. Il più vecchio esce per primo, e tutto entro 30 giorni. I nomi dei file non rivelano il testo. Annoto quali audio sono tuoi, così puoi eliminarli.`,
  server: `${bold('Cosa conservo dei server.')} Le impostazioni, compreso chi è silenziato, finché non cambiano o per 30 giorni dopo la mia rimozione. L’uso, in numeri senza nomi, per 31 giorni. Il volume di ogni voce, per 90 giorni.`,
  messages: `${bold('Le mie risposte.')} Sono messaggi di Discord e restano finché qualcuno non li elimina.`,
  localMessages: `${bold('Le mie risposte.')} Questo è il Discord locale, sulla mia macchina. Al posto dei server di Discord conserva i messaggi e gli allegati di tutti per un giorno, in una cartella leggibile solo dall’utente con cui gira.`,
  openReplies:
    'Finché una risposta non è finita, annoto dov’è per correggerla dopo un riavvio. Per quelle che vedi solo tu conservo anche la chiave cifrata per modificarle, al massimo per 15 minuti. Se mi scrivi direttamente, annoto per un giorno che ti ho parlato dei miei comandi.',
  erased: `${bold('Eliminazione.')} Quello che elimini viene sovrascritto subito. Le altre copie nel mio database, come il titolo della tua voce tra le voci recenti di altri membri, spariscono entro 10 minuti.`,
  reading: (isRead) =>
    `${bold('Lettura ad alta voce.')} Dove qualcuno l’ha attivata, leggo i nuovi messaggi del canale in un canale vocale. Non li conservo. Il loro audio resta solo in memoria, finché il messaggio non viene modificato o eliminato, e al massimo per un’ora dall’ultimo ascolto. Ricordo quale voce legge i tuoi in un server, per 30 giorni dopo l’ultima lettura. Ricordo anche in quali canali l’hai attivata tu, finché non viene disattivata. ${isRead ? 'I tuoi messaggi possono essere letti ad alta voce.' : 'Hai scelto di non far leggere i tuoi messaggi in nessun server.'}`,
  optOutButton: 'Non leggere i miei messaggi',
  optInButton: 'Leggi di nuovo i miei messaggi',
  optOutGoes: 'Inoltre i tuoi messaggi torneranno a essere letti ad alta voce.',
  deleteButton: 'Elimina i miei dati…',
  emptyButton: 'Svuota la cache audio…',
  deleteQuestion: (hasSound) =>
    hasSound
      ? 'Eliminare le tue voci, la velocità, il tuo dizionario, i testi conservati e il loro audio? Non si può annullare.'
      : 'Eliminare le tue voci, la velocità, il tuo dizionario e i testi conservati? Non si può annullare.',
  whatStays:
    'Restano due cose: quanto hai usato oggi, per due giorni, così eliminare non azzera il tuo budget; e se un admin ti ha silenziato in un server.',
  deleteYes: 'Elimina',
  cancel: 'Annulla',
  deleted: (sounds) =>
    sounds === 0
      ? 'Fatto. Ho eliminato i tuoi dati.'
      : `Fatto. Ho eliminato i tuoi dati e ${format.plural(sounds, { one: '# audio conservato', other: '# audio conservati' })}.`,
  deletedLater: 'Una parte dell’audio in cache è su una macchina che ora è spenta. Lì verrà eliminata prima di riprodurre qualsiasi cosa.',
  emptyQuestion: 'Svuotare la cache audio di tutti i membri e i server? Ripetere la stessa cosa userà di nuovo credito.',
  emptyYes: 'Svuota',
  emptied: (bytes) => `Fatto. La cache audio è vuota e ha liberato ${format.megabytes(bytes)}.`,
  yourVoices: (titles) => `Le tue: ${titles}.`,
  voicesOfYou: (count) =>
    `${bold('La tua voce in mano ad altri.')} ${format.plural(count, { one: '# voce di un altro membro è fatta con la tua registrazione, perché hai accettato.', other: '# voci di altri membri sono fatte con le tue registrazioni, perché hai accettato.' })}`,
  voicesToo: (count) =>
    format.plural(count, {
      one: 'Viene eliminata anche # voce creata da te o con la tua registrazione, pure dal servizio vocale.',
      other: 'Vengono eliminate anche # voci create da te o con le tue registrazioni, pure dal servizio vocale.',
    }),
  voicesDeleted: (count) => format.plural(count, { one: 'Ho eliminato anche # voce.', other: 'Ho eliminato anche # voci.' }),
  voicesLeft: (count) =>
    format.plural(count, {
      one: 'Il servizio vocale non è riuscito a eliminare # voce. Nessuno può più usarla e continuerò a provare.',
      other: 'Il servizio vocale non è riuscito a eliminare # voci. Nessuno può più usarle e continuerò a provare.',
    }),
  operatorsOnly: `Solo chi gestisce il bot può svuotare la cache audio. ${bold('Elimina i miei dati')} rimuove la tua parte.`,
};
