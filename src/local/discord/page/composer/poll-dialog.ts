// The dialog in which a member asks a question with answers to choose from.
import { html } from 'lit';
import { call } from '../connection.ts';
import { openDialog } from '../controls/dialog.ts';
import { scrollToEnd } from '../scroll.ts';
import { state } from '../state.ts';

const MAX_ANSWERS = 10;
const MAX_ANSWER_LENGTH = 55;

/** In hours, as Discord offers them. */
const DURATIONS: [string, number][] = [
  ['1 hour', 1],
  ['4 hours', 4],
  ['8 hours', 8],
  ['24 hours', 24],
  ['3 days', 72],
  ['1 week', 168],
];

export function openPollDialog(): void {
  const { channelId } = state;
  openDialog({
    title: 'Create a poll',
    body: html`<div class="field"><label for="poll-question">Question</label>
        <input id="poll-question" name="question" type="text" maxlength="300" autocomplete="off"></div>
      <div class="field"><label for="poll-answers">Answers</label>
        <span class="muted" id="poll-answers-more">One on each line, up to ten.</span>
        <textarea id="poll-answers" name="answers" rows="4" aria-describedby="poll-answers-more"></textarea></div>
      <div class="field"><label for="poll-duration">Open for</label>
        <select id="poll-duration" name="hours">${DURATIONS.map(([label, hours]) => html`<option value=${hours} ?selected=${hours === 24}>${label}</option>`)}</select></div>
      <label class="check"><input type="checkbox" name="several"> Allow several answers</label>`,
    submitLabel: 'Post',
    async send(form) {
      const question = String(form.get('question')).trim();
      const answers = String(form.get('answers'))
        .split('\n')
        .map((line) => line.trim())
        .filter(Boolean);
      if (question === '') throw new Error('Question: this field is required.');
      if (answers.length === 0 || answers.length > MAX_ANSWERS) throw new Error(`Answers: one to ${MAX_ANSWERS} lines are needed.`);
      const long = answers.find((answer) => answer.length > MAX_ANSWER_LENGTH);
      if (long) throw new Error(`Answers: “${long.slice(0, 20)}…” has more than ${MAX_ANSWER_LENGTH} characters.`);
      await call('send_message', {
        channel_id: channelId,
        poll: {
          question: { text: question },
          answers: answers.map((text) => ({ poll_media: { text } })),
          duration: Number(form.get('hours')),
          allow_multiselect: form.has('several'),
        },
      });
      if (state.channelId === channelId) scrollToEnd();
    },
  });
}
