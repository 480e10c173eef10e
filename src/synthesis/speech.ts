// Text in, something to play or a file out: from the cache, or from the service, if the member may use the voice.
import { inDefaultVoices, type NamedDefaults } from './default-voice.ts';
import { readSpeechFile } from './file.ts';
import { createKeptSounds, type KeptSoundsOptions } from './kept-sounds.ts';
import { createLiveChoice } from './live-texts.ts';
import { createServiceRequests, type ServiceRequestsOptions } from './service-requests.ts';
import { cutIntoPieces, cutIntoSentences } from './speakable.ts';
import type { SpeechEngine, SpeechRequest } from './types.ts';
import { createUtterance, inFirstVoice, type VoicedText } from './utterance.ts';
import { checkAccess } from './voice-access.ts';
import { createVoiceMemory, type VoiceLevels } from './voice-levels.ts';

const MAX_FILE_BYTES = 25 * 1024 * 1024;

export interface SpeechOptions extends ServiceRequestsOptions, KeptSoundsOptions {
  /** Whether texts of several sentences use the websocket, where their first sound is no later over it; default false. */
  streaming?: boolean;
  /** Absent: how loud voices are is forgotten when the process ends. */
  levels?: VoiceLevels;
  /** Whether all voices are brought to one loudness; default true. */
  loudness?: boolean;
  /** Names a voice for requests that name none. Absent: the service's own default is always the same voice. */
  defaultVoices?: NamedDefaults | undefined;
  /** Ids of voices that now take longer to make than to hear. Their texts go to the service whole, since it has to know how much there is. */
  slowVoices?: (() => readonly string[]) | undefined;
}

/** For whom a text is spoken, and what becomes of its sound. */
interface Purpose {
  /** See SpeakOptions. */
  memberId?: string | undefined;
  isDownload?: boolean | undefined;
  /** Whether it is brought to the loudness of all voices: files aren't. */
  isLevelled?: boolean;
}

export function createSpeech(options: SpeechOptions): SpeechEngine {
  const { streaming = false, levels, loudness = true, accessOf, defaultVoices, slowVoices = () => [] } = options;
  const requests = createServiceRequests(options);
  const { slotOf, pin, ...deletions } = createKeptSounds(options, (request) => [
    loudness,
    request.volume ?? 1,
    requests.toApiRequest(request, request.text),
  ]);
  const liveChoice = streaming ? createLiveChoice() : null;
  const voiceMemory = loudness ? createVoiceMemory(levels) : null;

  /** The voices that may speak the text, in the order in which they are tried. */
  function voicesFor(request: SpeechRequest, purpose: Purpose): [VoicedText, ...VoicedText[]] {
    if (request.referenceId || !defaultVoices) return [inVoice(request, purpose)];
    return inDefaultVoices(defaultVoices, request, (referenceId, maxStartSeconds) =>
      inVoice({ ...request, referenceId }, purpose, maxStartSeconds),
    );
  }

  function inVoice(request: SpeechRequest, purpose: Purpose, maxStartSeconds?: number): VoicedText {
    const { memberId, isDownload = false, isLevelled = loudness } = purpose;
    const referenceId = request.referenceId ?? null;
    let isOwn = false;
    return {
      referenceId,
      ...(slowVoices().includes(referenceId ?? '') && { whole: request.text }),
      async check() {
        isOwn = (await checkAccess(accessOf, request, memberId)) === 'own';
        return null;
      },
      speak: (piece, signal) => requests.speak(request, piece, { signal, isDownload, maxStartSeconds }, isLevelled),
      bytesOf: (text) => requests.bytesOf(request, text),
      speakLive: (texts, signal) => requests.speakLive(request, texts, signal, isLevelled),
      cacheSlot: slotOf(request, memberId, () => isOwn),
      loudness: voiceMemory && { recall: () => voiceMemory.recall(referenceId), save: () => voiceMemory.save(referenceId) },
    };
  }

  return {
    ...deletions,
    async pin(requested, memberId) {
      const request = requests.asSpoken(requested);
      if (request.referenceId || !defaultVoices) return pin(request, memberId);
      const { id } = defaultVoices.known?.(request) ?? (await defaultVoices.for(request));
      return pin({ ...request, referenceId: id }, memberId);
    },
    utterance(requested, { signal, fallbackIds = [], pin, permit, ...purpose } = {}) {
      const request = requests.asSpoken(requested);
      const pieces = cutIntoPieces(request.text);
      const sentences = liveChoice ? cutIntoSentences(request.text) : [];
      const voices = [request.referenceId ?? null, ...fallbackIds].flatMap((referenceId) =>
        voicesFor({ ...request, referenceId }, purpose),
      ) as [VoicedText, ...VoicedText[]];
      return createUtterance({
        // A blank text is the service's to refuse.
        pieces: pieces.length > 0 ? pieces : [request.text],
        live: liveChoice && sentences.length > 1 ? { sentences, choice: liveChoice } : null,
        voices,
        signal,
        pin,
        permit,
        speed: request.speed,
        volume: request.volume,
      });
    },
    bytesOf(requested) {
      const request = requests.asSpoken(requested);
      return requests.bytesOf(request, request.text);
    },
    async file(requested, { signal = new AbortController().signal, maxBytes = MAX_FILE_BYTES, memberId, onSpoken, onStandIn } = {}) {
      const request = requests.asSpoken(requested);
      const voices = voicesFor(request, { memberId, isDownload: true, isLevelled: false });
      const piece = await inFirstVoice(voices, async (candidate) => {
        const voice = (await candidate.check?.()) ?? candidate;
        if (voice.standIn) onStandIn?.(voice.standIn);
        return voice.speak(request.text, signal);
      });
      onSpoken?.();
      return readSpeechFile(piece.speech.audio, { formatHint: piece.formatHint, maxBytes, endlessBytes: piece.maxBytes });
    },
  };
}
