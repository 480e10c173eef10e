// A text that names no voice: the default one speaks it, or another one if that can't.
import { ApiError } from '../api/errors.ts';
import type { SpeechRequest } from './types.ts';
import type { VoicedText } from './utterance.ts';

/** The voice for a text; an `id` of null is the service's own default. */
interface NamedVoice {
  id: string | null;
  /** Whether it speaks because the default one would be late. */
  isStandIn: boolean;
}

/** Voices that are named in place of a service's default one. */
export interface NamedDefaults {
  /** The voice for this text, in this server. Never rejects. */
  for(request: SpeechRequest): Promise<NamedVoice>;
  /** The voice for this text as far as it is known now. Absent: `for` takes no longer. */
  known?(request: SpeechRequest): NamedVoice;
  /** The service doesn't have this voice any more. Never rejects. */
  replace(request: Pick<SpeechRequest, 'scope' | 'language'>, id: string): Promise<void>;
  /** The id of the voice that speaks if the one for the text can't; absent or null = the service's own default, if it doesn't have that one. */
  standIn?(): string | null;
}

/** Seconds until the first sound, after which the voice that keeps up everywhere speaks in place of the default one. */
const STAND_IN_SECONDS = 5;

/**
 * The text in the voice that is named for it, and in the one that speaks if that can't:
 *
 *     named ── the service doesn't have it, or it fails or would be late ──▶ the stand-in, if that is another voice
 *       └───── the service doesn't have it, and no other voice stands in ──▶ the service's own default; later texts get another name
 *
 * @param inVoice the text in a voice of this id; null = the service's own default
 */
export function inDefaultVoices(
  defaults: NamedDefaults,
  request: SpeechRequest,
  inVoice: (referenceId: string | null, maxStartSeconds?: number) => VoicedText,
): [VoicedText, VoicedText] {
  let namedId: string | null = null;
  const standIn = () => defaults.standIn?.() ?? null;
  // Each request of a text in several requests might be spoken in another voice.
  const inOneRequest = { ...inVoice(null), whole: request.text };

  /** For whoever asks which voice this is, it remains the default one. */
  async function inNamedVoice(id: string, standInId: string | null, maxStartSeconds?: number): Promise<VoicedText> {
    const named = inVoice(id, maxStartSeconds);
    await named.check?.();
    return { ...named, referenceId: null, standIn: standInId };
  }

  return [
    {
      ...inOneRequest,
      async check() {
        const { id, isStandIn } = await defaults.for(request);
        namedId = id;
        if (id === null) return null;
        const other = standIn();
        const isReplaceable = other !== null && other !== id;
        return inNamedVoice(id, isStandIn ? id : null, isReplaceable ? STAND_IN_SECONDS : undefined);
      },
      // Another voice is better than none.
      passesOn(error) {
        const other = standIn();
        return other !== null && namedId !== null && namedId !== other && !isAboutAccount(error);
      },
    },
    {
      ...inOneRequest,
      async check() {
        const other = standIn();
        if (other !== null && other !== namedId) return inNamedVoice(other, other);
        if (namedId !== null) void defaults.replace(request, namedId);
        return null;
      },
    },
  ];
}

/** What the service refuses because of the account, it refuses for every voice. */
const isAboutAccount = (error: unknown) => !(error instanceof ApiError) || ['auth', 'forbidden', 'credit', 'aborted'].includes(error.kind);
