// One HTTP request handed to the connection pool.
import type { Readable } from 'node:stream';
import type { Dispatcher, Pool } from 'undici';

export interface HttpRequest {
  method: 'GET' | 'POST' | 'PATCH' | 'DELETE';
  path: string;
  headers: Record<string, string>;
  body: string | Uint8Array | Readable | null;
  /** Milliseconds from the last byte of the request to the headers of the response. */
  headersTimeout: number;
}

/**
 * Resolves with the response once its headers have arrived. An abort rejects at once with the signal's reason; undici alone would wait
 * for a connection that is still being made.
 * @param onSent called once the last byte of the request has been written to the socket
 */
export function sendRequest(pool: Pool, request: HttpRequest, signal: AbortSignal, onSent: () => void): Promise<Dispatcher.ResponseData> {
  const { body } = request;
  return new Promise((resolve, reject) => {
    const abort = () => {
      if (body !== null && typeof body === 'object' && 'destroy' in body) body.on('error', () => {}).destroy(signal.reason);
      reject(signal.reason);
    };
    signal.addEventListener('abort', abort, { once: true });
    pool
      .compose(reportSent(onSent))
      // The idle timeout of the body is ours (response.ts).
      .request({ ...request, bodyTimeout: 0, signal })
      .then(resolve, reject)
      .finally(() => signal.removeEventListener('abort', abort));
  });
}

/** undici's promise doesn't tell when the request has been sent; its handlers do. */
function reportSent(onSent: () => void): Dispatcher.DispatcherComposeInterceptor {
  return (dispatch) => (options, handler) =>
    dispatch(options, {
      onRequestStart: (...args) => handler.onRequestStart?.(...args),
      onRequestUpgrade: (...args) => handler.onRequestUpgrade?.(...args),
      onResponseStart: (...args) => handler.onResponseStart?.(...args),
      onResponseData: (...args) => handler.onResponseData?.(...args),
      onResponseEnd: (...args) => handler.onResponseEnd?.(...args),
      onResponseError: (...args) => handler.onResponseError?.(...args),
      onBodySent: (...args) => handler.onBodySent?.(...args),
      onRequestSent() {
        onSent();
        handler.onRequestSent?.();
      },
    });
}
