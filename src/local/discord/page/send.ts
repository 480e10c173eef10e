// Sends what the member has written: a message, or a command once all its options will do.
import { readField } from './command-form.ts';
import { call, uploadFile } from './connection.ts';
import { draft, focusField, leaveCommand } from './draft.ts';
import { expectAnswer } from './events.ts';
import type { FilledOption } from './protocol.ts';
import { scrollToEnd } from './scroll.ts';
import { afterDraw, notify, notifyError, state, update } from './state.ts';

/** Sends the message with its files. The box is free for the next one at once; what could not be sent comes back into it. */
export async function sendMessage(): Promise<void> {
  const { text, files } = draft;
  const content = text.trim();
  if (draft.sending || (content === '' && files.length === 0)) return;
  update(() => Object.assign(draft, { sending: true, text: '', files: [], list: undefined }));
  try {
    const uploads = await Promise.all(files.map(uploadFile));
    await call('send_message', {
      channel_id: state.channelId,
      ...(content && { content }),
      ...(uploads.length && { uploads: uploads.map(({ id }) => id) }),
    });
    notify(undefined);
    scrollToEnd();
  } catch (error) {
    notifyError(error);
    update(() => Object.assign(draft, { text: text + draft.text, files: [...files, ...draft.files] }));
  } finally {
    update(() => {
      draft.sending = false;
    });
    afterDraw(() => document.getElementById('composer-text')?.focus());
  }
}

/** Sends the command, or shows what is still wrong with it. */
export async function sendCommand(): Promise<void> {
  const { command: open, sending } = draft;
  if (!open || sending) return;
  const read = open.fields.map((field) => ({ field, result: readField(field) }));
  const wrong = read.find(({ result }) => result && 'problem' in result);
  if (wrong?.result && 'problem' in wrong.result) {
    const { problem } = wrong.result;
    update(() => {
      wrong.field.problem = problem;
    });
    afterDraw(() => focusField(wrong.field));
    return;
  }
  update(() => {
    draft.sending = true;
    draft.list = undefined;
  });
  const answer = expectAnswer({ channel_id: state.channelId, label: `/${open.command.title}` });
  try {
    const options: FilledOption[] = [...open.command.path];
    for (const { field, result } of read) {
      if (!result || !('value' in result)) continue;
      const value = field.file ? (await uploadFile(field.file)).id : result.value;
      options.push({ name: field.option.name, type: field.option.type, value });
    }
    const { interaction_id } = await call('run_command', { channel_id: state.channelId, command_id: open.command.id, options });
    answer.sent(interaction_id);
    scrollToEnd();
    leaveCommand();
  } catch (error) {
    answer.failed((error as Error).message);
  } finally {
    update(() => {
      draft.sending = false;
    });
  }
}
