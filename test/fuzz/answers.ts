// Checks the responses of the local servers, whatever they are asked.
import { generalError, validationErrors } from '../../src/api/schemas.ts';
import { type RawRequest, type RawResponse, send, type TestVoiceService } from '../helpers/voice-service.ts';

/** No refusal takes this long, nor does any speech or transcription here. */
const ANSWER_MS = 120_000;

/** Like `send`, with a time limit. A connection that the service ends counts as status 0. */
export async function ask(service: TestVoiceService, path: string, request: RawRequest): Promise<RawResponse> {
  const { promise, reject } = Promise.withResolvers<never>();
  const timer = setTimeout(() => reject(new Error(`no answer from ${path} within ${ANSWER_MS / 1000} s`)), ANSWER_MS);
  try {
    return await Promise.race([send(service, path, request), promise]);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ECONNRESET') throw error;
    return { status: 0, headers: {}, bytes: Buffer.alloc(0), json: undefined };
  } finally {
    clearTimeout(timer);
  }
}

/**
 * What became of a request: a refusal in one of the specification's two shapes, or a success that fits.
 * @throws Error for anything else
 */
export function classifyAnswer({ status, bytes, json, headers }: RawResponse, fits: (answer: RawResponse) => boolean): string {
  const said = `${status}: ${bytes.toString().slice(0, 300)}`;
  if (status === 0) return 'connection ended';
  if (status === 200) {
    if (!fits({ status, bytes, json, headers })) throw new Error(`an answer that is not documented, ${said}`);
    return '200';
  }
  const isRefusal = status === 422 ? validationErrors.safeParse(json).success : generalError.safeParse(json).data?.status === status;
  if (status < 400 || status >= 500 || !isRefusal) throw new Error(`an answer that is not documented, ${said}`);
  if (bytes.length > 64 * 1024) throw new Error(`a refusal of ${bytes.length} bytes, ${said}`);
  return `refused with ${status}`;
}
