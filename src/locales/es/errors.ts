// What members read when something failed, in Spanish.
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
    `Algo ha fallado por mi parte. Inténtalo otra vez. Si sigue pasando, avisa a quien gestiona el bot.\n-# Referencia ${code(reference)}`,
  storeFailed:
    'Ahora no puedo leer ni guardar mis datos, así que no ha cambiado nada. Inténtalo dentro de un minuto.\n-# Para quien gestiona el bot: revisa el disco.',
  discordFailed: (status) => `Discord tiene problemas, así que mi respuesta no llegó. Inténtalo dentro de un minuto.\n-# Estado ${status}`,
  discordBusy: (at) => `He llegado a un límite de Discord. Inténtalo ${format.relative(at)}.`,
  noPermission: 'Discord no me deja hacer eso aquí. Los admins del servidor pueden revisar mis permisos en este canal.',
  badAudio: 'El servicio de voz mandó algo que no es sonido. Inténtalo otra vez o elige otra voz.',
  endlessAudio: 'La voz no paraba de hablar, así que la corté. Inténtalo otra vez o elige otra voz.',
  brokenAudio: 'El sonido del servicio de voz se interrumpió. Inténtalo otra vez o elige otra voz.',
};

function api(error: ApiError, now = Date.now()): string {
  const again = error.retryAfterMs === null ? 'dentro de un minuto' : format.relative(now + error.retryAfterMs);
  if (error.downForMs !== null)
    return `El servicio de voz está caído (visto ${format.relative(now - error.downForMs)}). Inténtalo ${again}.`;
  if (error.kind === 'unsupported') return unsupported(error.operation);
  const sentence = {
    auth: 'El servicio de voz no acepta mi clave. Tiene que arreglarlo quien gestiona el bot.',
    credit: 'Se acabó el crédito de voz. Tiene que recargarlo quien gestiona el bot.',
    validation: refusal(error),
    'not-found': 'El servicio de voz no encuentra esto. Revisa lo que elegiste e inténtalo otra vez.',
    'rate-limited': `El servicio de voz está ocupado. Inténtalo ${again}.`,
    server:
      error.status === null
        ? `No consigo llegar al servicio de voz. Inténtalo ${again}.`
        : `El servicio de voz tiene problemas. Inténtalo ${again}.`,
    timeout: `El servicio de voz tardó demasiado en responder. Inténtalo ${again}.`,
    aborted: 'Esto se paró antes de que respondiera el servicio de voz. Inténtalo otra vez.',
    protocol: 'El servicio de voz mandó una respuesta que no puedo usar. Inténtalo dentro de un minuto.',
  }[error.kind];
  const charged = error.mayHaveBeenBilled ? ' Cuenta igualmente, porque el servicio puede haberlo cobrado.' : '';
  const isTechnical = error.kind !== 'aborted' && (error.status !== null || error.requestId);
  const status = error.status === null ? null : `Estado ${error.status}`;
  const request = error.requestId ? `Solicitud ${code(error.requestId)}` : null;
  const details = isTechnical ? `\n-# ${[status, request].filter((part) => part !== null).join(' · ')}` : '';
  return `${sentence}${charged}${details}`;
}

function unsupported(operation: ApiError['operation']): string {
  return {
    catalogue: `Este servicio de voz no tiene lista de voces. Si sabes el id de una voz, úsalo en ${inlineCode('/say')}.`,
    transcription: 'Este servicio de voz no transcribe; solo habla.',
    credit: 'Este servicio de voz no informa de su saldo.',
    speech: `Este servicio de voz no habla. Quien gestiona el bot puede revisar ${code('VOICE_API_URL')}.`,
    'live-speech': 'Este servicio de voz no habla en tiempo real. Inténtalo otra vez.',
    'own-voices': 'Este servicio de voz no puede crear voces.',
  }[operation ?? 'speech'];
}

function voice(error: VoiceError): string {
  return {
    busy: 'Estoy hablando en otro canal de este servidor. Ven o inténtalo cuando termine.',
    'join-timeout':
      'Discord no me dejó entrar a tiempo en el canal de voz. Inténtalo otra vez. Si sigue pasando, otra región en los ajustes del canal puede ayudar.',
    'encryption-timeout':
      'El cifrado de extremo a extremo del canal de voz no arrancó, así que no dije nada. Inténtalo otra vez o pide a todos que salgan y vuelvan a entrar.',
    'channel-full': 'El canal de voz está lleno. Espera un hueco o elige otro canal.',
    'not-permitted':
      'No tengo permiso para entrar o hablar en este canal de voz. Los admins del servidor pueden permitirlo en los ajustes del canal.',
    muted: 'Estoy silenciado en este servidor. Moderación puede quitarlo con clic derecho en mi nombre en el canal de voz.',
    'member-muted':
      'Moderación te silenció en los canales de voz de este servidor, así que he dejado de hablar por ti. Volveré a hablar por ti cuando te quiten el silencio.',
    untrusted:
      'No puedo verificar el servidor de voz de Discord, así que no dije nada. Quien gestiona el bot puede revisar el reloj y los certificados de la máquina.',
    kicked: 'Moderación me desconectó del canal de voz, así que la cola está vacía. Inténtalo otra vez para que vuelva.',
    'channel-gone': 'El canal de voz se borró, así que la cola está vacía. Entra en otro e inténtalo otra vez.',
    closing: 'Me estoy reiniciando, así que esto no terminó. Inténtalo dentro de un minuto.',
    disconnected: 'He salido del canal de voz, así que la cola está vacía. Inténtalo otra vez para que vuelva.',
    refused: `Discord rechazó la conexión de voz. Prueba otro canal.${error.code === null ? '' : `\n-# Código ${error.code}`}`,
  }[error.kind];
}

function refusal({ details }: ApiError): string {
  const [detail] = details;
  if (!detail) return 'El servicio de voz no acepta esto. Cámbialo e inténtalo otra vez.';
  if (/\. \S.*\.$/s.test(detail.msg)) return asMarkdown(detail.msg, 300);
  const field = code(detail.loc.at(-1) ?? 'request');
  return `El servicio de voz no acepta esto (${field}: ${asMarkdown(detail.msg, 150)}). Cámbialo e inténtalo otra vez.`;
}

function budget({ owner, kind, setBy, cap, requested, left, resetsAt }: BudgetError): string {
  if (cap === 0) return switchedOff(kind);
  const resets = format.relative(resetsAt);
  const isMember = owner === 'member';
  if (requested > cap) {
    const next = setBy === 'admin' ? 'Los admins del servidor pueden subirlo en `/settings`.' : 'Quien gestiona el bot puede subirlo.';
    return isMember
      ? `Esto pasa de tu presupuesto diario: ${amountOf(kind, cap)}. Acórtalo. ${next}`
      : `Esto pasa del presupuesto diario de este servidor: ${amountOf(kind, cap)}. Acórtalo. ${next}`;
  }
  const name = { speech: 'de voz', transcription: 'de transcripción' }[kind];
  if (Math.floor(left) < 1)
    return isMember
      ? `Has agotado tu presupuesto ${name} de hoy. Se reinicia ${resets}.`
      : `Este servidor ha agotado su presupuesto ${name} de hoy. Se reinicia ${resets}.`;
  return isMember
    ? `Hoy te quedan ${amountOf(kind, left)} y esto necesita más. Acórtalo o espera: tu presupuesto se reinicia ${resets}.`
    : `A este servidor le quedan hoy ${amountOf(kind, left)} y esto necesita más. Acórtalo o espera: su presupuesto se reinicia ${resets}.`;
}

function amountOf(kind: SpendingKind, amount: number): string {
  return kind === 'speech'
    ? format.plural(Math.floor(amount), { one: '# carácter de voz', other: '# caracteres de voz' })
    : `${format.duration(amount)} de transcripción`;
}

function switchedOff(kind: SpendingKind): string {
  return {
    speech: `La voz está desactivada en este servidor. Los admins del servidor pueden permitirla en ${inlineCode('/settings')}, en Presupuestos.`,
    transcription: `La transcripción está desactivada en este servidor. Los admins del servidor pueden permitirla en ${inlineCode('/settings')}, en Presupuestos.`,
  }[kind];
}
