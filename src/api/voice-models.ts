// The calls that create, read, change and delete voice models of one's own.
import { type ApiRequest, makeCall, type Transport } from './call.ts';
import { ApiError } from './errors.ts';
import { modelLimits, readBody, readJson } from './http.ts';
import type { Timeouts } from './options.ts';
import { modelEntity } from './schemas.ts';
import type { Api } from './types.ts';
import { createMultipart } from './upload.ts';
import { toFields, toNewModelForm, toVoiceModel } from './wire.ts';

export function createOwnVoices(
  transport: Transport,
  timeouts: Timeouts,
): Pick<Api, 'createModel' | 'getModel' | 'updateModel' | 'deleteModel'> {
  const limits = { headersTimeout: timeouts.headers, deadline: timeouts.deadline };
  const aModel = (id: string) => ({ operation: 'own-voices' as const, namesResource: true, path: `/model/${toModelId(id)}`, ...limits });

  return {
    async createModel(model, { onProgress, ...call } = {}) {
      const { fields, files } = toNewModelForm(model);
      const upload = createMultipart(fields, files, onProgress);
      const request: ApiRequest = {
        operation: 'own-voices',
        method: 'POST',
        path: '/model',
        headers: upload.headers,
        body: upload.body,
        canRepeat: upload.canRepeat,
        bodyFailure: upload.failure,
        privateText: [model.title, model.description, ...model.recordings.flatMap(({ filename, text }) => [filename, text])].join(' '),
        headersTimeout: timeouts.headers,
        // An upload may take as long as that of a recording to transcribe.
        deadline: timeouts.transcription,
        isLong: true,
        // Repeated after its last byte, it might create a second model.
        costsCredit: true,
      };
      try {
        const { accepted } = await makeCall(transport, request, call, (response) => readJson(response, modelEntity, modelLimits));
        return toVoiceModel(accepted);
      } finally {
        void upload.close();
      }
    },

    async getModel(id, call = {}) {
      const request: ApiRequest = { ...aModel(id), method: 'GET' };
      const { accepted } = await makeCall(transport, request, call, (response) => readJson(response, modelEntity, modelLimits));
      return toVoiceModel(accepted);
    },

    async updateModel(id, { title, description, tags, visibility, coverImage }, call = {}) {
      const privateText = `${title ?? ''} ${description ?? ''}`;
      if (!coverImage) {
        const headers = { 'content-type': 'application/json' };
        const body = () => JSON.stringify({ title, description, tags, visibility });
        await makeCall(transport, { ...aModel(id), method: 'PATCH', headers, body, privateText }, call, discardBody);
        return;
      }
      // JSON can't carry bytes.
      const upload = createMultipart(toFields({ title, description, tags, visibility }), [['cover_image', coverImage]]);
      const { headers, body, canRepeat, failure: bodyFailure } = upload;
      const request: ApiRequest = { ...aModel(id), method: 'PATCH', headers, body, canRepeat, bodyFailure, privateText };
      try {
        await makeCall(transport, request, call, discardBody);
      } finally {
        void upload.close();
      }
    },

    async deleteModel(id, call = {}) {
      await makeCall(transport, { ...aModel(id), method: 'DELETE' }, call, discardBody);
    },
  };
}

/** Services answer a change with the model, with something else, or with nothing. */
const discardBody = (response: Parameters<typeof readBody>[0]) => readBody(response, modelLimits.bytes);

function toModelId(id: string): string {
  // Proxies resolve "." and ".." to another path.
  if (/^\.{0,2}$/.test(id)) throw new ApiError('validation', 'The id of the voice model is empty or not an id.');
  return encodeURIComponent(id.toWellFormed());
}
