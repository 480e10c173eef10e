// The local voice service: a server of the whole Voice Service API (spec/voice-service-api.md), with offline engines behind it.
export type { CatalogueFile } from './catalogue.ts';
export { localPrices } from './money.ts';
export type { NaturalVoices } from './natural-voices.ts';
export {
  noteNaturalVoicesAnnounced,
  readNaturalVoices,
  startVoiceService,
  type VoiceService,
  type VoiceServiceOptions,
} from './voice-service.ts';
export type { KeyGrant } from './wallet.ts';
