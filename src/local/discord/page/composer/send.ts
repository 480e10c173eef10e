// Sends what the member has written: a message, or a command whose options are all valid.
import { ApplicationCommandOptionType } from 'discord-api-types/v10';
import { call } from '../connection.ts';
import { encodeEmoji } from '../emoji.ts';
import { trackInteraction } from '../events.ts';
import { noteSent } from '../first-steps/progress.ts';
import type { FilledOption } from '../protocol.ts';
import { scrollToEnd } from '../scroll.ts';
import { afterRender, dismissNotice, showError, state, update } from '../state.ts';
import { uploadFile } from '../uploads.ts';
import { draft, focusField, leaveCommand, returnToBox, typeText } from './draft.ts';
import { encodeMentions } from './mentions.ts';
import { readField } from './slash-commands.ts';

/** Clears the box immediately, so that the next message can be typed; if sending fails, the text and files come back. */
export async function sendMessage(): Promise<void> {
  const sent = draft;
  const { channelId, text, files, about } = sent;
  const content = encodeMentions(encodeEmoji(text.trim()));
  if (content === '' && files.length === 0) return;
  // A command that the member can't use, or has misspelt, is no message for everybody; the list says so again.
  if (about?.how !== 'edit' && /^\/[^\s/]+$/.test(content)) return void typeText(text);
  update(() => Object.assign(sent, { text: '', files: [], list: undefined, about: undefined }));
  returnToBox();
  try {
    if (about?.how === 'edit') await call('edit_message', { channel_id: channelId, message_id: about.message.id, content });
    else {
      const uploads = await Promise.all(files.map(uploadFile));
      await call('send_message', {
        channel_id: channelId,
        ...(content && { content }),
        ...(uploads.length && { uploads: uploads.map(({ id }) => id) }),
        ...(about && { reply_to: { message_id: about.message.id, mention: about.mentions } }),
      });
      if (state.channelId === channelId) scrollToEnd();
    }
    dismissNotice();
  } catch (error) {
    showError(error);
    update(() => Object.assign(sent, { text: text + sent.text, files: [...files, ...sent.files], about }));
    if (sent === draft) returnToBox();
  }
}

/** Sends the command, or shows the first problem with its options. */
export async function sendCommand(): Promise<void> {
  const sent = draft;
  const { channelId, command: open, sending } = sent;
  if (!open || sending) return;
  const read = open.fields.map((field) => ({ field, result: readField(field) }));
  const wrong = read.find(({ result }) => result && 'problem' in result);
  if (wrong?.result && 'problem' in wrong.result) {
    const { problem } = wrong.result;
    update(() => {
      wrong.field.problem = problem;
    });
    afterRender(() => focusField(wrong.field));
    return;
  }
  update(() => {
    sent.sending = true;
    sent.list = undefined;
  });
  const interaction = trackInteraction({ channel_id: channelId, label: `/${open.command.title}` });
  try {
    const options: FilledOption[] = [...open.command.path];
    for (const { field, result } of read) {
      if (!result || !('value' in result)) continue;
      const isWritten = field.option.type === ApplicationCommandOptionType.String && field.chosen === undefined;
      const written = isWritten ? encodeMentions(String(result.value)) : result.value;
      const value = field.file ? (await uploadFile(field.file)).id : written;
      options.push({ name: field.option.name, type: field.option.type, value });
    }
    const { interaction_id } = await call('run_command', { channel_id: channelId, command_id: open.command.id, options });
    interaction.sent(interaction_id);
    noteSent(interaction_id, open.command.name);
    if (state.channelId === channelId) scrollToEnd();
    leaveCommand(undefined, sent);
  } catch (error) {
    interaction.failed((error as Error).message);
  } finally {
    update(() => {
      sent.sending = false;
    });
  }
}
