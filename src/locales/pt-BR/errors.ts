// What members read when something failed, in Brazilian Portuguese.
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
    `Algo deu errado do meu lado. Tente de novo. Se continuar, avise quem cuida do bot.\n-# Referência ${code(reference)}`,
  storeFailed:
    'Não consigo salvar nem ler meus dados agora, então nada mudou. Tente de novo em um minuto.\n-# Para quem cuida do bot: verifique o disco.',
  discordFailed: (status) =>
    `O Discord está com problemas, então minha resposta não chegou. Tente de novo em um minuto.\n-# Status ${status}`,
  discordBusy: (at) => `Cheguei a um dos limites do Discord. Tente de novo ${format.relative(at)}.`,
  noPermission: 'O Discord não me deixa fazer isso aqui. Os admins do servidor podem conferir minhas permissões neste canal.',
  badAudio: 'O serviço de voz mandou algo que não é som. Tente de novo ou escolha outra voz.',
  endlessAudio: 'A voz não parava de falar, então eu a interrompi. Tente de novo ou escolha outra voz.',
  brokenAudio: 'O som do serviço de voz foi interrompido. Tente de novo ou escolha outra voz.',
};

function api(error: ApiError, now = Date.now()): string {
  const again = error.retryAfterMs === null ? 'em um minuto' : format.relative(now + error.retryAfterMs);
  if (error.downForMs !== null) return `O serviço de voz saiu do ar ${format.relative(now - error.downForMs)}. Tente de novo ${again}.`;
  if (error.kind === 'unsupported') return unsupported(error.operation);
  const sentence = {
    auth: 'O serviço de voz não aceita a minha chave. Quem cuida do bot precisa resolver isso.',
    credit: 'O crédito de voz acabou. Quem cuida do bot precisa recarregar.',
    validation: refusal(error),
    'not-found': 'O serviço de voz não encontra isso. Confira o que você escolheu e tente de novo.',
    'rate-limited': `O serviço de voz está ocupado. Tente de novo ${again}.`,
    server:
      error.status === null
        ? `Não consigo acessar o serviço de voz. Tente de novo ${again}.`
        : `O serviço de voz está com problemas. Tente de novo ${again}.`,
    timeout: `O serviço de voz demorou demais para responder. Tente de novo ${again}.`,
    aborted: 'Isso foi interrompido antes de o serviço de voz responder. Tente de novo.',
    protocol: 'O serviço de voz mandou uma resposta que não consigo usar. Tente de novo em um minuto.',
  }[error.kind];
  const charged = error.mayHaveBeenBilled ? ' Isso conta como usado mesmo assim, porque o serviço pode ter cobrado.' : '';
  const isTechnical = error.kind !== 'aborted' && (error.status !== null || error.requestId);
  const status = error.status === null ? null : `Status ${error.status}`;
  const request = error.requestId ? `Requisição ${code(error.requestId)}` : null;
  const details = isTechnical ? `\n-# ${[status, request].filter((part) => part !== null).join(' · ')}` : '';
  return `${sentence}${charged}${details}`;
}

function unsupported(operation: ApiError['operation']): string {
  return {
    catalogue: `Este serviço de voz não tem lista de vozes. Se você souber o id de uma voz, use em ${inlineCode('/say')}.`,
    transcription: 'Este serviço de voz não transcreve, só fala.',
    credit: 'Este serviço de voz não informa o saldo.',
    'live-speech': 'Este serviço de voz não consegue falar em tempo real. Tente de novo.',
    'own-voices': 'Este serviço de voz não consegue criar vozes.',
    speech: `Este serviço de voz não consegue falar. Quem cuida do bot pode conferir ${code('VOICE_API_URL')}.`,
  }[operation ?? 'speech'];
}

function voice(error: VoiceError): string {
  return {
    busy: 'Estou falando em outro canal deste servidor. Entre lá ou tente de novo quando eu terminar.',
    'join-timeout':
      'O Discord não me deixou entrar no canal de voz a tempo. Tente de novo. Se continuar, outra região nas configurações do canal pode ajudar.',
    'encryption-timeout':
      'A criptografia de ponta a ponta do canal de voz não começou, então não falei nada. Tente de novo ou peça para todo mundo sair e entrar de novo.',
    'channel-full': 'O canal de voz está cheio. Espere uma vaga ou escolha outro canal.',
    'not-permitted':
      'Não tenho permissão para entrar ou falar neste canal de voz. Os admins do servidor podem permitir nas configurações do canal.',
    muted: 'Fui silenciado neste servidor. A moderação pode tirar o silêncio clicando com o botão direito no meu nome no canal de voz.',
    'member-muted':
      'A moderação silenciou você nos canais de voz deste servidor, então parei de falar por você. Volto a falar por você quando o silêncio for tirado.',
    untrusted:
      'Não consigo verificar o servidor de voz do Discord, então não falei nada. Quem cuida do bot pode conferir o relógio e os certificados da máquina.',
    kicked: 'A moderação me desconectou do canal de voz, então a fila agora está vazia. Tente de novo e eu volto.',
    'channel-gone': 'O canal de voz foi apagado, então a fila agora está vazia. Entre em outro e tente de novo.',
    closing: 'Estou reiniciando, então isso não terminou. Tente de novo em um minuto.',
    disconnected: 'Saí do canal de voz, então a fila agora está vazia. Tente de novo e eu volto.',
    refused: `O Discord recusou a conexão de voz. Tente outro canal.${error.code === null ? '' : `\n-# Código ${error.code}`}`,
  }[error.kind];
}

function refusal({ details }: ApiError): string {
  const [detail] = details;
  if (!detail) return 'O serviço de voz não aceita isso. Mude e tente de novo.';
  if (/\. \S.*\.$/s.test(detail.msg)) return asMarkdown(detail.msg, 300);
  const field = code(detail.loc.at(-1) ?? 'request');
  return `O serviço de voz não aceita isso (${field}: ${asMarkdown(detail.msg, 150)}). Mude e tente de novo.`;
}

function budget({ owner, kind, setBy, cap, requested, left, resetsAt }: BudgetError): string {
  if (cap === 0) return switchedOff(kind);
  const resets = format.relative(resetsAt);
  const isMember = owner === 'member';
  if (requested > cap) {
    const next =
      setBy === 'admin' ? 'Os admins do servidor podem aumentar o limite em `/settings`.' : 'Quem cuida do bot pode aumentar o limite.';
    return isMember
      ? `Isso passa do seu limite diário de ${amountOf(kind, cap)}. Tente algo mais curto. ${next}`
      : `Isso passa do limite diário deste servidor, de ${amountOf(kind, cap)}. Tente algo mais curto. ${next}`;
  }
  const name = { speech: 'fala', transcription: 'transcrição' }[kind];
  if (Math.floor(left) < 1)
    return isMember
      ? `Você já usou todo o seu limite de ${name} de hoje. Ele é renovado ${resets}.`
      : `Este servidor já usou todo o limite de ${name} de hoje. Ele é renovado ${resets}.`;
  return isMember
    ? `Hoje você ainda tem ${amountOf(kind, left)}, e isso precisa de mais. Tente algo mais curto ou espere: seu limite é renovado ${resets}.`
    : `Hoje este servidor ainda tem ${amountOf(kind, left)}, e isso precisa de mais. Tente algo mais curto ou espere: o limite dele é renovado ${resets}.`;
}

function amountOf(kind: SpendingKind, amount: number): string {
  return kind === 'speech'
    ? format.plural(Math.floor(amount), { one: '# caractere de fala', other: '# caracteres de fala' })
    : `${format.duration(amount)} de transcrição`;
}

function switchedOff(kind: SpendingKind): string {
  return {
    speech: `A fala está desligada neste servidor. Os admins do servidor podem permitir em ${inlineCode('/settings')}, em Limites.`,
    transcription: `A transcrição está desligada neste servidor. Os admins do servidor podem permitir em ${inlineCode('/settings')}, em Limites.`,
  }[kind];
}
