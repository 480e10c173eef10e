// Damaged recordings: sent directly to the service, uploaded with a command, and sent as a voice message.

import { InteractionType, ApplicationCommandOptionType as OptionType } from 'discord.js';
import { asrResult } from '../../../src/api/schemas.ts';
import { pick } from '../../helpers/random.ts';
import { ask, classifyAnswer } from '../answers.ts';
import { commandIds, sendAndCheck } from '../commands.ts';
import { CONTAINERS, originalOf } from '../decoder.ts';
import { formOf } from '../forms.ts';
import { mutate } from '../mutations.ts';
import type { OpenTarget } from '../target.ts';

export const openUploads: OpenTarget = async ({ service, key, main }) => {
  const { discord, parley } = main;
  const { client } = parley.other;
  const channelId = discord.channelId('general');
  const ids = await commandIds(main);

  return {
    async attack(random) {
      const container = pick(CONTAINERS, random);
      const bytes = mutate(originalOf(container), random);
      const way = random();
      if (way < 0.7) {
        const answer = await ask(service, '/v1/asr', { key, ...formOf([{ name: 'audio', filename: `a.${container}`, value: bytes }]) });
        return classifyAnswer(answer, ({ json }) => asrResult.safeParse(json).success);
      }
      const upload = client.upload(`a.${container}`, 'audio/ogg', bytes);
      if (way < 0.85) {
        const { url, filename, size, content_type } = upload;
        return sendAndCheck(main, client, {
          type: InteractionType.ApplicationCommand,
          data: {
            ...{ id: ids.get('1:transcribe'), name: 'transcribe', type: 1 },
            options: [{ name: 'audio', type: OptionType.Attachment, value: upload.id }],
            resolved: { attachments: { [upload.id]: { id: upload.id, url, proxy_url: url, filename, size, content_type } } },
          },
        });
      }
      const message = await client
        .call('send_message', {
          ...{ channel_id: channelId, uploads: [upload.id] },
          voice_message: { duration_secs: pick([-1, 0, 0.5, 4, 1e9], random), waveform: pick(['AAAA', '', '!'], random) },
        })
        .catch(() => null);
      if (!message) return 'refused by Discord';
      const [name, id] = [...ids].find(([each]) => each.startsWith('3:')) ?? ['', ''];
      return sendAndCheck(main, client, {
        type: InteractionType.ApplicationCommand,
        data: { id, name: name.slice(2), type: 3, target_id: message.id, resolved: { messages: { [message.id]: message } } },
      });
    },
  };
};
