// What all ways to have a text spoken share: the voice, the price, and what the engines are asked for.
import type { TtsRequest } from '../../../api/schemas.ts';
import type { Catalogue, CatalogueModel } from '../catalogue.ts';
import { type Engines, isNatural, SPEECH_LIMITS, type SpeakRequest } from '../engines/index.ts';
import { fieldError, httpError, quote } from '../http-error.ts';
import type { Limits } from '../limits.ts';
import type { Manners } from '../manners.ts';
import { formatCredit } from '../money.ts';
import type { Hold, Wallet } from '../wallet.ts';

export interface SpeechOptions {
  readCatalogue(): Promise<Catalogue>;
  wallet: Wallet;
  engines: Engines;
  limits: Limits;
  manners: Manners;
  /** Milliseconds since 1970. */
  now: () => number;
}

type ModelVoice = Pick<SpeakRequest, 'voice'> & { volumeDb: number };

export const NOT_IMITATED = 'This service cannot imitate recordings. Choose a voice by reference_id.';

/** Rejects, before anything is paid, what the schema allows and this service cannot do. */
export function rejectUnsupported({ text, references, format, sample_rate }: TtsRequest, limits: Limits): void {
  if (text.length > limits.textLength) {
    const max = limits.textLength.toLocaleString('en');
    const message = `The text is too long: at most ${max} characters. Send it in parts.`;
    throw fieldError('body', ['text'], 'too_big', message, `maximum ${limits.textLength}`);
  }
  // Answering in another voice would be worse than an error.
  if (references.length > 0) throw fieldError('body', ['references'], 'not_supported', NOT_IMITATED);
  const rates: readonly number[] = format === 'opus' ? SPEECH_LIMITS.opusSampleRates : SPEECH_LIMITS.sampleRates;
  if (sample_rate !== null && !rates.includes(sample_rate))
    throw fieldError('body', ['sample_rate'], 'invalid_value', `${format} is not made at this rate.`, `one of ${rates.join(', ')}`);
}

/**
 * Returns the voice and the gain (dB) of a model, or of the default one for this text if no model is named.
 * @throws HttpError 404 for an unknown model, 422 for one that does not speak, with the reason
 */
export function findVoice(
  catalogue: Catalogue,
  { reference_id: referenceId, text, prosody: { speed } }: Pick<TtsRequest, 'reference_id' | 'prosody'> & { text: string | null },
  userId: string,
): ModelVoice {
  const model = referenceId === null ? catalogue.defaultFor(text, speed) : catalogue.find(referenceId, userId);
  if (!model) throw httpError(404, `There is no voice model ${quote(referenceId ?? '')}. GET /model lists those there are.`);
  if (model.entity.state === 'trained' && model.entity.type === 'tts' && model.voice)
    return { voice: model.voice, volumeDb: model.volumeDb };
  throw fieldError('body', ['reference_id'], 'not_speaking', whyItDoesNotSpeak(model));
}

/** Whether it takes longer to make than to hear. */
export const isSlow = ({ voice }: ModelVoice, { natural }: Engines): boolean => natural?.keepsUp === false && isNatural(voice);

function whyItDoesNotSpeak({ entity }: CatalogueModel): string {
  const name = `The voice model "${entity.title}"`;
  if (entity.type === 'svc') return `${name} converts singing and does not speak text. Choose one of type tts.`;
  if (entity.state === 'created') return `${name} has not been trained yet. Choose one in state trained.`;
  if (entity.state === 'training') return `${name} is still being trained. Wait until it is, or choose another.`;
  if (entity.state === 'failed')
    return `${name} could not be trained${entity.state_message ? `: ${entity.state_message}` : '. Choose another.'}`;
  return `${name} has no voice in this service. Choose another.`;
}

/** @param price in micro-credits @throws HttpError 402 */
export function holdPrice(wallet: Wallet, userId: string, price: bigint): Hold {
  const hold = wallet.hold(userId, price);
  if (hold) return hold;
  throw httpError(
    402,
    `The credit does not suffice: this text costs ${formatCredit(price)}, and ${formatCredit(wallet.balance(userId))} is left. Add credit.`,
  );
}

export function toSpeakRequest(
  wanted: TtsRequest,
  {
    voice: { voice, volumeDb },
    ...call
  }: Pick<SpeakRequest, 'text' | 'model' | 'isDownload' | 'maxStartSeconds' | 'signal'> & { voice: ModelVoice },
): SpeakRequest {
  const { min, max } = SPEECH_LIMITS.opusBitrate;
  const gain = SPEECH_LIMITS.volumeDb;
  const request: SpeakRequest = {
    ...call,
    format: wanted.format,
    mp3Bitrate: wanted.mp3_bitrate,
    speed: wanted.prosody.speed,
    voice,
    volumeDb: Math.min(Math.max(wanted.prosody.volume + volumeDb, gain.min), gain.max),
  };
  if (wanted.sample_rate !== null) request.sampleRate = wanted.sample_rate;
  if (wanted.opus_bitrate !== null) request.opusBitrate = Math.min(Math.max(wanted.opus_bitrate, min), max);
  return request;
}
