// What /credit says, in Spanish.
import { bold, inlineCode } from 'discord.js';
import type { Words } from '../words.ts';
import { format } from './format.ts';

export const credit: Words['credit'] = {
  accountTitle: 'Crédito',
  serverTitle: 'Este servidor',
  memberTitle: 'Tú',
  left: (credit) => bold(`Quedan unos ${format.significant(credit)} de crédito`),
  usedUp: `${bold('Se acabó el crédito.')} Recárgalo y vuelvo en menos de un minuto. Hasta entonces solo puedo repetir lo que hay en la caché.`,
  exactly: (credit) => `Exactamente ${credit} de crédito`,
  exactlySince: (credit, changed) => `Exactamente ${credit} de crédito, último cambio ${changed}`,
  freeCredit: 'Una parte es crédito gratis.',
  buys: (amounts) => `Alcanza para ${format.or(amounts)}.`,
  about: {
    speech: (characters) => format.plural(characters, { one: 'decir # carácter', other: 'decir unos # caracteres' }),
    transcription: (minutes) => format.plural(minutes, { one: 'transcribir # minuto', other: 'transcribir unos # minutos' }),
    transcriptionHours: (hours) => format.plural(hours, { one: 'transcribir # hora', other: 'transcribir unas # horas' }),
  },
  usedSinceTopUp: (share) => `${format.percent(share)} usado desde la última recarga.`,
  hardlyUsed: 'Menos del 1 % usado desde la última recarga.',
  lasts: (days) => format.plural(days, { one: 'A este ritmo queda # día.', other: 'A este ritmo quedan unos # días.' }),
  lastsUnderADay: 'A este ritmo queda menos de un día.',
  balanceFailed: (reason) => `Ahora no puedo ver el saldo. ${reason}`,
  lastDays: (days) => bold(format.plural(days, { one: 'Último día', other: 'Últimos # días' })),
  noUsage: 'Todavía nada dicho ni transcrito.',
  legend: '🟦 caracteres dichos por día · 🟧 minutos transcritos por día',
  chartDescription: (from, to) => `Gráfico de barras de caracteres dichos y minutos transcritos por día, del ${from} al ${to}`,
  outsideServers: 'Fuera de servidores',
  goneServers: 'Servidores en los que ya no estoy',
  otherServers: (count) => format.plural(count, { one: '# servidor más', other: '# servidores más' }),
  used: {
    speech: (characters) => format.plural(characters, { one: '# carácter dicho', other: '# caracteres dichos' }),
    transcription: (seconds) => `${format.duration(seconds)} de transcripción`,
    credit: (cost) => `unos ${format.significant(cost)} de crédito`,
  },
  usageOf: (server, usage) => `${bold(server)}: ${usage}`,
  budgetTitles: { speech: 'Voz hoy', transcription: 'Transcripción hoy' },
  budgetOff: 'Desactivado en este servidor. Los admins del servidor pueden cambiarlo en `/settings`, en Presupuestos.',
  budget: {
    speech: (used, cap, left) =>
      `${format.number(used)} de ${format.plural(cap, { one: '# carácter', other: '# caracteres' })}, ${bold(`quedan ${format.number(left)}`)}`,
    transcription: (used, cap, left) => `${format.duration(used)} de ${format.duration(cap)}, ${bold(`quedan ${format.duration(left)}`)}`,
  },
  unlimited: {
    speech: (used) => format.plural(used, { one: '# carácter, sin límite', other: '# caracteres, sin límite' }),
    transcription: (used) => `${format.duration(used)}, sin límite`,
  },
  resets: (again) => `Tu presupuesto diario se reinicia ${again}.`,
  usedUpAlert: 'Se acabó el crédito del servicio de voz, así que no puedo hablar ni transcribir. Recárgalo y vuelvo en menos de un minuto.',
  usedAlert: (share, left) =>
    `Se ha usado el ${format.percent(share)} del crédito del servicio de voz; queda ${left} de crédito. Recárgalo antes de que se acabe. ${inlineCode('/credit')} muestra en qué se va.`,
};
