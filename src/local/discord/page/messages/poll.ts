// A message's poll: its answers to choose from, how many chose each, and how it ended.
import { type APIMessage, type APIPoll, type APIPollAnswer, EmbedType } from 'discord-api-types/v10';
import { html, nothing, type TemplateResult } from 'lit';
import { call } from '../connection.ts';
import { customEmojiUrl } from '../emoji.ts';
import type { Dispatch } from '../protocol.ts';
import { showError, state } from '../state.ts';

type VoteDispatch = Extract<Dispatch, { t: `MESSAGE_POLL_VOTE_${string}` }>;

export function pollView(message: APIMessage): TemplateResult | typeof nothing {
  const { poll } = message;
  if (!poll) return nothing;
  const isOver = isPollOver(poll);
  const total = countsOf(poll).reduce((sum, { count }) => sum + count, 0);
  const hint = poll.allow_multiselect ? 'Select one or more answers' : 'Select one answer';
  return html`<div slot="attachments" class="poll" role="group" aria-label="Poll: ${poll.question.text}">
    <b class="poll-question">${poll.question.text}</b>
    <span class="muted">${isOver ? 'The poll has ended' : hint}</span>
    ${poll.answers.map((answer) => answerView(message, poll, answer, total, isOver))}
    <span class="poll-foot muted"><span>${total} ${total === 1 ? 'vote' : 'votes'}</span>
      ${isOver || !poll.expiry ? nothing : html`<span>ends <relative-time .seconds=${Date.parse(poll.expiry) / 1000}></relative-time></span>`}
      ${isOver || message.author.id !== state.me?.id ? nothing : html`<button type="button" class="link-button" @click=${() => end(message)}>End the poll</button>`}</span>
  </div>`;
}

function answerView(message: APIMessage, poll: APIPoll, answer: APIPollAnswer, total: number, isOver: boolean): TemplateResult {
  const { count = 0, me_voted: isMine = false } = countsOf(poll).find(({ id }) => id === answer.answer_id) ?? {};
  const { text = '', emoji } = answer.poll_media;
  const share = total === 0 ? 0 : Math.round((100 * count) / total);
  return html`<button type="button" class="poll-answer" aria-pressed=${isMine} ?disabled=${isOver} @click=${() => vote(message, poll, answer.answer_id, isMine)}>
    <span class="poll-share" style="width: ${share}%"></span>
    ${emoji?.id ? html`<img class="emoji" src=${customEmojiUrl(emoji.id, emoji.name ?? '')} alt="">` : (emoji?.name ?? nothing)}
    <span class="poll-text">${text}</span> <b>${count} ${count === 1 ? 'vote' : 'votes'}</b></button>`;
}

/** What the message that announces a poll's end says. */
export function pollResultView({ embeds }: APIMessage, name: string): TemplateResult {
  const fields = new Map(embeds[0]?.fields?.map((field) => [field.name, field.value]));
  const winner = fields.get('victor_answer_text');
  const outcome = winner === undefined ? 'There is no single winner' : `“${winner}” has won`;
  return html`<span class="markdown"><span class="paragraph">The poll of ${name}, “${fields.get('poll_question_text')}”, has ended. ${outcome}.</span></span>`;
}

export function isPollResult({ type }: APIMessage['embeds'][number]): boolean {
  return type === EmbedType.PollResult;
}

/** What a vote changes about a message. */
export function applyVote(message: APIMessage, { t, d }: VoteDispatch): APIMessage {
  const { poll } = message;
  if (!poll) return message;
  const step = t === 'MESSAGE_POLL_VOTE_ADD' ? 1 : -1;
  const { count = 0, me_voted = false } = countsOf(poll).find(({ id }) => id === d.answer_id) ?? {};
  const changed = { id: d.answer_id, count: count + step, me_voted: d.user_id === state.me?.id ? step === 1 : me_voted };
  const others = countsOf(poll).filter(({ id }) => id !== d.answer_id);
  return { ...message, poll: { ...poll, results: { is_finalized: false, ...poll.results, answer_counts: [...others, changed] } } };
}

function vote({ id, channel_id }: APIMessage, poll: APIPoll, answerId: number, isMine: boolean): void {
  const mine = countsOf(poll).flatMap((count) => (count.me_voted && count.id !== answerId ? [count.id] : []));
  const kept = poll.allow_multiselect ? mine : [];
  call('vote', { channel_id, message_id: id, answer_ids: isMine ? kept : [...kept, answerId] }).catch(showError);
}

function end({ id, channel_id }: APIMessage): void {
  call('end_poll', { channel_id, message_id: id }).catch(showError);
}

function isPollOver({ results, expiry }: APIPoll): boolean {
  return results?.is_finalized === true || (expiry !== null && Date.parse(expiry) <= Date.now());
}

function countsOf({ results }: APIPoll) {
  return results?.answer_counts ?? [];
}
