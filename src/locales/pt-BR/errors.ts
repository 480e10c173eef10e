// What members read when something failed, in Brazilian Portuguese.
import { inlineCode } from 'discord.js';
import type { Words } from '../words.ts';
import { code, format } from './format.ts';

export const errors: Words['errors'] = {
  api: {
    auth: 'O serviço de voz não aceita a minha chave. Quem cuida do bot precisa resolver isso.',
    credit: 'O crédito de voz acabou. Quem cuida do bot precisa recarregar.',
    'not-found': 'O serviço de voz não encontra isso. Confira o que você escolheu e tente de novo.',
    'rate-limited': (again) => `O serviço de voz está ocupado. Tente de novo ${again}.`,
    server: (again) => `O serviço de voz está com problemas. Tente de novo ${again}.`,
    timeout: (again) => `O serviço de voz demorou demais para responder. Tente de novo ${again}.`,
    aborted: 'Isso foi interrompido antes de o serviço de voz responder. Tente de novo.',
    protocol: 'O serviço de voz mandou uma resposta que não consigo usar. Tente de novo em um minuto.',
  },
  brokenOff: 'A resposta do serviço de voz foi interrompida. Tente de novo em um minuto.',
  inAMinute: 'em um minuto',
  unreachable: (again) => `Não consigo acessar o serviço de voz. Tente de novo ${again}.`,
  down: (since, again) => `O serviço de voz saiu do ar ${since}. Tente de novo ${again}.`,
  refused: 'O serviço de voz não aceita isso. Mude e tente de novo.',
  refusedField: (field, reason) => `O serviço de voz não aceita isso (${field}: ${reason}). Mude e tente de novo.`,
  maybeCharged: 'Isso conta como usado mesmo assim, porque o serviço pode ter cobrado.',
  unsupported: {
    catalogue: `Este serviço de voz não tem lista de vozes. Se você souber o id de uma voz, use em ${inlineCode('/say')}.`,
    transcription: 'Este serviço de voz não transcreve, só fala.',
    credit: 'Este serviço de voz não informa o saldo.',
    'live-speech': 'Este serviço de voz não consegue falar em tempo real. Tente de novo.',
    'own-voices': 'Este serviço de voz não consegue criar vozes.',
    speech: `Este serviço de voz não consegue falar. Quem cuida do bot pode conferir ${code('VOICE_API_URL')}.`,
  },
  voice: {
    busy: 'Estou falando em outro canal deste servidor. Entre lá ou tente de novo quando eu terminar.',
    hearing: 'Estou legendando outro canal deste servidor. Entre lá ou tente de novo quando as legendas terminarem.',
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
    'sending-failed':
      'Um problema do meu lado impediu o envio do som, então saí do canal de voz. Tente de novo. Se continuar, avise quem cuida do bot.',
    closing: 'Estou reiniciando, então isso não terminou. Tente de novo em um minuto.',
    disconnected: 'Saí do canal de voz, então a fila agora está vazia. Tente de novo e eu volto.',
    refused: 'O Discord recusou a conexão de voz. Tente outro canal.',
  },
  status: (status) => `Status ${status}`,
  request: (id) => `Requisição ${code(id)}`,
  code: (code) => `Código ${code}`,
  budget: {
    switchedOff: {
      speech: `A fala está desligada neste servidor. Os admins do servidor podem permitir em ${inlineCode('/settings')}, em Limites.`,
      transcription: `A transcrição está desligada neste servidor. Os admins do servidor podem permitir em ${inlineCode('/settings')}, em Limites.`,
    },
    overCap: {
      member: (cap) => `Isso passa do seu limite diário de ${cap}. Tente algo mais curto.`,
      guild: (cap) => `Isso passa do limite diário deste servidor, de ${cap}. Tente algo mais curto.`,
    },
    raise: {
      admin: 'Os admins do servidor podem aumentar o limite em `/settings`.',
      operator: 'Quem cuida do bot pode aumentar o limite.',
    },
    usedUp: {
      member: {
        speech: (resets) => `Você já usou todo o seu limite de fala de hoje. Ele é renovado ${resets}.`,
        transcription: (resets) => `Você já usou todo o seu limite de transcrição de hoje. Ele é renovado ${resets}.`,
      },
      guild: {
        speech: (resets) => `Este servidor já usou todo o limite de fala de hoje. Ele é renovado ${resets}.`,
        transcription: (resets) => `Este servidor já usou todo o limite de transcrição de hoje. Ele é renovado ${resets}.`,
      },
    },
    left: {
      member: (left, resets) =>
        `Hoje você ainda tem ${left}, e isso precisa de mais. Tente algo mais curto ou espere: seu limite é renovado ${resets}.`,
      guild: (left, resets) =>
        `Hoje este servidor ainda tem ${left}, e isso precisa de mais. Tente algo mais curto ou espere: o limite dele é renovado ${resets}.`,
    },
  },
  amount: {
    speech: (characters) => format.plural(characters, { one: '# caractere de fala', other: '# caracteres de fala' }),
    transcription: (seconds) => `${format.duration(seconds)} de transcrição`,
  },
  unexpected: (reference) =>
    `Algo deu errado do meu lado. Tente de novo. Se continuar, avise quem cuida do bot.\n-# Referência ${code(reference)}`,
  storeFailed:
    'Não consigo salvar nem ler meus dados agora, então nada mudou. Tente de novo em um minuto.\n-# Para quem cuida do bot: verifique o disco ou o armazenamento compartilhado.',
  discordFailed: (status) =>
    `O Discord está com problemas, então minha resposta não chegou. Tente de novo em um minuto.\n-# Status ${status}`,
  discordBusy: (at) => `Cheguei a um dos limites do Discord. Tente de novo ${format.relative(at)}.`,
  noPermission: 'O Discord não me deixa fazer isso aqui. Os admins do servidor podem conferir minhas permissões neste canal.',
  badAudio: 'O serviço de voz mandou algo que não é som. Tente de novo ou escolha outra voz.',
  endlessAudio: 'A voz não parava de falar, então eu a interrompi. Tente de novo ou escolha outra voz.',
  brokenAudio: 'O som do serviço de voz foi interrompido. Tente de novo ou escolha outra voz.',
};
