// An interaction, and what a member does to start one.
import type { APIApplicationCommandOptionChoice, ApplicationCommandType, InteractionType } from 'discord-api-types/v10';
import type { JsonObject } from '../validator.ts';
import type { Channel, Message } from '../world/world.ts';
import type { IntegrationOwners } from './available-commands.ts';

export interface InteractionRequest {
  type: InteractionType;
  userId: string;
  channel: Channel;
  owners: IntegrationOwners;
  data: object;
  /** Shown above the response. */
  command?: { name: string; type: ApplicationCommandType } | null;
  /** The message whose component was used. */
  source?: Message | null;
  /** Receives the autocomplete choices; null if there was no response in time. */
  onChoices?: (choices: APIApplicationCommandOptionChoice[] | null) => void;
}

export interface Interaction extends Required<Omit<InteractionRequest, 'data'>> {
  id: string;
  token: string;
  /** In ms. */
  createdAt: number;
  state: 'pending' | 'responded' | 'failed';
  /** Runs until the initial response. */
  timer: NodeJS.Timeout | undefined;
  /** The initial response's message: a new one, or the component's that it updates. */
  originalId: string | null;
  /** The modal that it was answered with. */
  modal: JsonObject | null;
  followUps: number;
}

/** What outlives the process of an interaction that was responded to. */
export interface SavedInteraction extends Omit<Interaction, 'channel' | 'source' | 'state' | 'timer' | 'onChoices'> {
  channelId: string;
  sourceId: string | null;
}
